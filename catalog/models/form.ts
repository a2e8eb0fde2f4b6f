import {
  below,
  boolean,
  createReport,
  integer,
  isMembers,
  list,
  members,
  text,
  value,
  type Check,
  type FieldProblem,
  type Members,
  type Report,
} from '../check.ts'
import { WrittenNumber } from '../numbers.ts'
import { namesIn, writtenTexts } from './texts.ts'
import type { ModelCall } from './types.ts'

/** A call that was read, or all that is wrong with it. */
export type ReadModelCall = {
  /** What follows the key of the form: empty, or `.0`, `.inner.3`. */
  readonly suffix: string
} & (
  | { readonly ok: true; readonly call: ModelCall }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }
)

const KEY = /^[A-Za-z0-9_-]{1,64}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Fan-out makes no more of one form than this and one, which is more than any batch takes. */
const MOST = 200

const isFrom = (got: unknown): boolean =>
  isMembers(got) && Object.keys(got).length === 1 && typeof got['$from'] === 'string'

const isNumber = (got: unknown): boolean => typeof got === 'number' || got instanceof WrittenNumber

const input = value(
  (got) => typeof got === 'string' || isFrom(got),
  'write a text, or `{"$from": "key"}`',
)

const someOf = (what: string): Check =>
  value((got) => Array.isArray(got) && got.length > 0, `write a list of one or more ${what}`)

const vars: Check = (got, path, report) => {
  if (!isMembers(got)) return report.malformed(path, got, 'write an object of names and values')
  for (const [name, member] of Object.entries(got)) {
    const at = below(path, name)
    if (!VARIABLE.test(name)) report.malformed(at, name, 'name it with letters, digits and `_`')
    else if (!['string', 'boolean'].includes(typeof member) && !isNumber(member) && !isFrom(member))
      report.malformed(at, member, 'write a text, a number, true, false, or `{"$from": "key"}`')
  }
}

const CHECKS = {
  key: value((got) => typeof got === 'string' && KEY.test(got), 'write letters, digits, `_`, `-`'),
  model: value(
    (got) => typeof got === 'string' && /^[\x21-\x7e]{1,256}$/.test(got),
    'name a model in 1 to 256 visible ASCII characters',
  ),
  system: text,
  input,
  inputs: someOf('inputs'),
  calls: someOf('calls'),
  temperature: value(isNumber, 'write a number'),
  max_tokens: integer(1, Number.MAX_SAFE_INTEGER),
  json: boolean,
  timeout_ms: integer(1, 3_600_000),
  n: integer(1, MOST),
  label: value(
    (got) => typeof got === 'string' && got.length <= 256,
    'write a text of at most 256 characters',
  ),
  vars,
  with: list(text),
} satisfies Record<string, Check>

/** Whether an object has a member that only calls of models have. */
export function isModelForm(form: Members): boolean {
  return ['model', 'system', 'input', 'inputs', 'calls'].some((name) => name in form)
}

/**
 * Reads a form of model calls. Each of `inputs` is a call, `n` times; each of `calls` is a form of its own, for which the members of
 * the outer one stand wherever it does not say otherwise. Never more than 201 are given.
 */
export function modelCallsOf(form: Members): readonly ReadModelCall[] {
  const calls: ReadModelCall[] = []
  expand(form, { path: '', suffix: '', inherited: {}, calls })
  return calls
}

interface Around {
  readonly path: string
  readonly suffix: string
  /** What the forms around it say. */
  readonly inherited: Members
  /** What was read so far. */
  readonly calls: ReadModelCall[]
}

/** Gives the names of variables that the texts of its calls have. */
function expand(form: unknown, around: Around): ReadonlySet<string> {
  const { path, suffix, calls } = around
  const used = new Set<string>()
  const report = createReport()
  members(CHECKS)(form, path, report)
  const own = isMembers(form) ? form : {}
  if ('input' in own && 'inputs' in own)
    report.malformed(below(path, 'inputs'), own['inputs'], 'leave out one of input and inputs')
  if (report.problems.length > 0) {
    calls.push({ suffix, ok: false, problems: report.problems })
    return used
  }
  const merged = together(around.inherited, own)
  const before = calls.length
  const add = (names: Iterable<string>) => {
    for (const name of names) used.add(name)
  }
  if (own['calls'] === undefined) fanOut(merged, around, add)
  else nested(merged, own['calls'] as readonly unknown[], { ...around, add })
  checkUsed(own['vars'], { used, around, before })
  return used
}

/** An input of the inner form takes the place of inputs of the outer one, and the other way round. */
function together(outer: Members, own: Members): Members {
  const { input: _input, inputs: _inputs, ...rest } = outer
  const kept = 'input' in own || 'inputs' in own ? rest : outer
  const { key: _key, calls: _calls, ...said } = own
  const bothVars = { ...(outer['vars'] as Members), ...(own['vars'] as Members) }
  const bothWith = [...listOf(outer['with']), ...listOf(own['with'])]
  return {
    ...kept,
    ...said,
    ...('vars' in outer || 'vars' in own ? { vars: bothVars } : {}),
    ...(bothWith.length > 0 ? { with: bothWith } : {}),
  }
}

function listOf(got: unknown): readonly unknown[] {
  return (got as readonly unknown[] | undefined) ?? []
}

type Add = (names: Iterable<string>) => void

function nested(
  inherited: Members,
  forms: readonly unknown[],
  { path, suffix, calls, add }: Around & { readonly add: Add },
): void {
  for (const [at, form] of forms.entries()) {
    if (calls.length > MOST) return
    const key = isMembers(form) && typeof form['key'] === 'string' ? form['key'] : `${at}`
    const inside = { path: below(path, `calls[${at}]`), suffix: `${suffix}.${key}` }
    add(expand(form, { ...inside, inherited, calls }))
  }
}

function fanOut(merged: Members, { path, suffix, calls }: Around, add: Add): void {
  const { inputs, n = 1, ...rest } = merged
  const given = (inputs as readonly unknown[] | undefined) ?? [rest['input']]
  const times = n as number
  const isMany = inputs !== undefined || times > 1
  for (let at = 0; at < given.length * times && calls.length <= MOST; at++) {
    const index = Math.floor(at / times)
    const where = below(path, inputs === undefined ? 'input' : `inputs[${index}]`)
    const report = createReport()
    const call = { ...rest, input: given[index] } as ModelCall
    input(call.input, where, report)
    add(checkNames(call, path, report))
    const one = isMany ? `${suffix}.${at}` : suffix
    const { problems } = report
    calls.push(
      problems.length > 0 ? { suffix: one, ok: false, problems } : { suffix: one, ok: true, call },
    )
  }
}

/** Every name in a text is a variable, where there are any. */
function checkNames(call: ModelCall, path: string, report: Report): readonly string[] {
  if (call.vars === undefined) return []
  const names = writtenTexts(call).flatMap(namesIn)
  for (const name of names)
    if (!Object.hasOwn(call.vars, name))
      report.malformed(below(path, 'vars'), undefined, `give \`${name}\`, which the text names`)
  return names
}

/** A variable that no text names was misspelt in one of the two. */
function checkUsed(
  own: unknown,
  { used, around, before }: { used: ReadonlySet<string>; around: Around; before: number },
): void {
  const { path, calls } = around
  const stray = Object.keys((own as Members | undefined) ?? {}).find((name) => !used.has(name))
  if (stray === undefined) return
  const report = createReport()
  const repair = `write \`{{${stray}}}\` into system or input, or leave it out`
  report.malformed(below(below(path, 'vars'), stray), stray, repair)
  for (let at = before; at < calls.length; at++) {
    const call = calls[at]!
    if (call.ok) calls[at] = { suffix: call.suffix, ok: false, problems: report.problems }
  }
}

import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'
import * as cedarWasm from '@cedar-policy/cedar-wasm/nodejs'
import { hasControl } from '../../text.ts'
import { literalFaults } from './literals.ts'
import { placeIn, utf8Length } from './position.ts'
import { guardrailSchema } from './schema.ts'

/** What is used of the package to read policies; a fresh instance of its WebAssembly is one of these. */
export type CedarReader = Pick<typeof Cedar, 'policySetTextToParts' | 'policyToJson' | 'validate'>

/** A file of guardrails. */
export interface GuardrailFile {
  /** As messages and receipts name it. */
  readonly file: string
  readonly text: string
}

/** One `forbid` of an operator. */
export interface Guardrail {
  /** Its annotation `@id`, or its place. */
  readonly name: string
  /** `file:line`. */
  readonly place: string
  /** Its annotation `@advice`: what a refused call is told to do. */
  readonly advice: string | undefined
  /** The policy's source. */
  readonly text: string
  /** Every name and text in it, so that what it does not mention it cannot read. */
  readonly mentions: readonly string[]
}

/** One fault of a file. */
export interface GuardrailProblem {
  /** `file:line:column`. */
  readonly path: string
  readonly got: string
  readonly repair: string
}

export interface GuardrailsRead {
  /** In the order of the files; empty where there are problems. */
  readonly guardrails: readonly Guardrail[]
  readonly problems: readonly GuardrailProblem[]
}

/** Longest file, in UTF-16 units. */
const MAX_FILE = 262_144
/**
 * Deepest nesting of a policy, in levels of its JSON form: two for each operator, so that a chain has some sixty. The
 * engine validates more than it can evaluate: a chain of about 110 ends it, and would then forbid every call.
 */
const MAX_LEVELS = 128
const ANNOTATIONS: ReadonlySet<string> = new Set(['id', 'advice'])

/**
 * Reads and strictly validates the files of one set against the published schema: all problems at once. `cedar` should
 * be a fresh instance, since a text that is nested too deep ends the one that reads it.
 */
export function readGuardrails(
  files: readonly GuardrailFile[],
  cedar: CedarReader = cedarWasm,
): GuardrailsRead {
  const problems: GuardrailProblem[] = []
  const named = new Map<string, string>()
  const guardrails = files.flatMap((file) => readFile(file, { cedar, problems }))
  for (const { name, place } of guardrails) {
    const first = named.get(name)
    if (first !== undefined) {
      const repair = `rename it: the guardrail at ${first} has that id`
      problems.push({ path: place, got: `a second guardrail \`${name}\``, repair })
    }
    named.set(name, first ?? place)
  }
  return problems.length > 0 ? { guardrails: [], problems } : { guardrails, problems }
}

interface Reading {
  readonly cedar: CedarReader
  readonly problems: GuardrailProblem[]
}

function readFile(source: GuardrailFile, { cedar, problems }: Reading): readonly Guardrail[] {
  const add = (at: number, got: string, repair: string) =>
    void problems.push({ path: `${source.file}:${placeIn(source.text, at).text}`, got, repair })
  if (source.text.length > MAX_FILE) {
    add(0, `more than ${MAX_FILE} characters`, 'part it into several files')
    return []
  }
  try {
    return readParts(source, cedar, add)
  } catch {
    add(0, 'policies that the engine cannot read', 'nest less, and part long conditions in several')
    return []
  }
}

type Add = (at: number, got: string, repair: string) => void

function readParts({ file, text }: GuardrailFile, cedar: CedarReader, add: Add) {
  const parts = cedar.policySetTextToParts(text)
  if (parts.type === 'failure') {
    for (const error of parts.errors.flatMap(withRelated)) addError(error, add)
    return []
  }
  const { policies, policy_templates: templates } = parts
  for (const template of templates)
    add(bytesBefore(text, template), 'a template', 'write the entity in the place of the slot')
  if (policies.length + templates.length === 0)
    add(0, 'no policy', 'write a `forbid`, or take the file off the list')
  if (templates.length === 0) validate(text, cedar, add)
  return placed(text, policies).flatMap(({ policy, at }) =>
    readPolicy({ policy, at, place: `${file}:${placeIn(text, at).line}` }, cedar, add),
  )
}

function validate(text: string, cedar: CedarReader, add: Add): void {
  const schema = guardrailSchema()
  const answer = cedar.validate({ schema, policies: { staticPolicies: text } })
  for (const error of faultsOf(answer)) addError(error, add)
}

/** A warning is a fault too: a guardrail that can never hold is not what was meant. */
function faultsOf(answer: Cedar.ValidationAnswer): readonly Cedar.DetailedError[] {
  if (answer.type === 'failure') return answer.errors
  const errors = answer.validationErrors.map(({ error }) => error)
  const warnings = answer.validationWarnings.map(({ error }) => error)
  // Behind an error they say the same once more, in other words.
  return errors.length > 0 ? errors : [...warnings, ...answer.otherWarnings]
}

function addError({ message, help, sourceLocations }: Cedar.DetailedError, add: Add): void {
  const [where] = sourceLocations ?? []
  const repair = help ?? where?.label ?? 'correct the policy there'
  add(where?.start ?? 0, plain(message), plain(repair))
}

function withRelated(error: Cedar.DetailedError): readonly Cedar.DetailedError[] {
  return [error, ...(error.related ?? [])]
}

/** On one line, and without the names that the engine gives to policies. */
function plain(text: string): string {
  return text
    .replace(/^(for policy `policy\d+`, |failed to parse policies from string: )/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

interface PlacedPolicy {
  readonly policy: string
  /** Where it begins, in bytes. */
  readonly at: number
}

/** The parts come in the order of their names (`policy10` before `policy2`); here in that of the file. */
function placed(text: string, parts: readonly string[]): readonly PlacedPolicy[] {
  const names = parts.map((_, at) => `policy${at}`).sort()
  const inOrder = parts.map((_, at) => parts[names.indexOf(`policy${at}`)] ?? '')
  let from = 0
  return inOrder.map((policy) => {
    const found = text.indexOf(policy, from)
    from = found + policy.length
    return { policy, at: bytesBefore(text, policy, found) }
  })
}

function bytesBefore(text: string, part: string, at = text.indexOf(part)): number {
  return utf8Length(text.slice(0, Math.max(0, at)))
}

function readPolicy(
  { policy, at, place }: PlacedPolicy & { readonly place: string },
  cedar: CedarReader,
  add: Add,
): readonly Guardrail[] {
  const read = cedar.policyToJson(policy)
  if (read.type === 'failure') {
    add(at, 'a policy that cannot be read', 'correct it')
    return []
  }
  const { effect, annotations = {} } = read.json
  if (effect !== 'forbid')
    add(at, 'a `permit`', 'write a `forbid`: all that no guardrail forbids is left to the tokens')
  for (const [name, value] of Object.entries(annotations)) {
    if (!ANNOTATIONS.has(name))
      add(at, `the annotation \`@${name}\``, 'use `@id` and `@advice` alone')
    else if (typeof value !== 'string' || value.trim() === '' || hasControl(value))
      add(at, `an \`@${name}\` without a text on one line`, `write it like @${name}("…")`)
  }
  const levels = levelsOf(read.json.conditions)
  if (levels > MAX_LEVELS)
    add(
      at,
      `conditions nested ${levels} levels deep`,
      'ask a set with `contains` in place of a long chain, or part it into several policies',
    )
  else for (const { got, repair } of literalFaults(read.json)) add(at, got, repair)
  const { id, advice } = annotations
  return [{ name: id ?? place, place, advice, text: policy, mentions: textsIn(read.json) }]
}

/** Every text of a policy, names of members included. */
function textsIn(policy: Cedar.PolicyJson): readonly string[] {
  const texts = new Set<string>()
  JSON.stringify({ ...policy, annotations: {} }, (name, value: unknown) => {
    texts.add(name)
    if (typeof value === 'string') texts.add(value)
    return value
  })
  return [...texts]
}

/** How deep a value is nested; without recursion, since depth is what is in question. */
function levelsOf(value: unknown): number {
  let level: readonly unknown[] = [value]
  for (let levels = 0; ; levels++) {
    level = level.filter(isObject).flatMap((each) => Object.values(each))
    if (level.length === 0) return levels
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  createBuildKey,
  mintToken,
  readGuardrails,
  TokenFault,
  verifyToken,
  type Guardrail,
  type VerifiedToken,
} from '../../policy/index.ts'
import type { Problem } from '../config/index.ts'
import { describeFault } from '../config/fault.ts'
import type { ConfigFiles } from '../config/files.ts'
import { readYaml } from '../config/yaml.ts'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { readReceipts, type RecordedReceipt } from './receipts.ts'

/** What a decision comes to: let through, or the code of the refusal. */
export type Verdict = 'allowed' | ErrorCode

export interface Expectation {
  readonly receipt: string
  readonly is: Verdict
}

/** A file of fixtures, read and checked. */
export interface Fixtures {
  readonly receipts: readonly RecordedReceipt[]
  /** A token of the lines to try; undefined where each token's own lines stay. */
  readonly token: VerifiedToken | undefined
  /** Undefined where the configuration's stay. */
  readonly guardrails: readonly Guardrail[] | undefined
  readonly expect: readonly Expectation[]
}

export type FixturesRead =
  | { readonly ok: true; readonly fixtures: Fixtures }
  | { readonly ok: false; readonly problems: readonly Problem[] }

interface Written {
  readonly file?: string
  readonly receipts: readonly object[]
  readonly policy: { readonly lines?: readonly string[]; readonly guardrails?: readonly string[] }
  readonly expect: readonly { readonly receipt: string; readonly is: string }[]
}

const schema: unknown = JSON.parse(
  readFileSync(new URL('./fixtures.schema.json', import.meta.url), 'utf8'),
)
const validate = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  verbose: true,
}).compile<Written>(schema as object)

/** Reads fixtures and all that they name; every problem is told at once. `files` reads from beside them. */
export function readFixtures(text: string, files: ConfigFiles): FixturesRead {
  const yaml = readYaml(text)
  if (!yaml.ok) return yaml
  const written: unknown = yaml.value
  if (!validate(written)) {
    const problems = (validate.errors ?? []).map(describeFault)
    return { ok: false, problems: problems.map(({ path, got, repair }) => ({ path, got, repair })) }
  }
  const problems: Problem[] = []
  const fixtures = {
    receipts: allReceipts(written, files, problems),
    token: tokenOf(written.policy.lines, problems),
    guardrails: guardrailsOf(written.policy, files, problems),
    expect: written.expect.flatMap((one, at) => expectation(one, `expect[${at}].is`, problems)),
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, fixtures }
}

function allReceipts(
  { file, receipts }: Written,
  files: ConfigFiles,
  problems: Problem[],
): readonly RecordedReceipt[] {
  const inline = readReceipts(receipts, 'receipts', problems)
  if (file === undefined) return inline
  const read = files.read(file)
  if ('text' in read) return [...readLines(read.text, file, problems), ...inline]
  problems.push(unreadable('file', file, read.why))
  return inline
}

/** A line holds a receipt, or a list of them as `ledger list --json` prints it. */
function readLines(text: string, file: string, problems: Problem[]): readonly RecordedReceipt[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      const value: unknown = JSON.parse(line)
      return readReceipts(Array.isArray(value) ? value : [value], `${file}:${at + 1}`, problems)
    } catch {
      const repair = 'write one JSON receipt, or one list of receipts, on each line'
      problems.push({ path: `${file}:${at + 1}`, got: 'a line that is not JSON', repair })
      return []
    }
  })
}

/** The lines become a token in the only way there is: minted, and verified again, with a key that nobody has. */
function tokenOf(
  lines: readonly string[] | undefined,
  problems: Problem[],
): VerifiedToken | undefined {
  if (lines === undefined) return undefined
  const key = createBuildKey(`${crypto.randomUUID()}${crypto.randomUUID()}`)
  try {
    return verifyToken(mintToken(key, 'policy-test', lines), [key])
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    problems.push({
      path: 'policy.lines',
      got: 'lines that no token may have',
      repair: error.reason,
    })
    return undefined
  }
}

function guardrailsOf(
  { guardrails: paths, lines }: Written['policy'],
  files: ConfigFiles,
  problems: Problem[],
): readonly Guardrail[] | undefined {
  const sources = paths?.flatMap((path, at) => {
    const read = files.read(path)
    if ('text' in read) return [{ file: path, text: read.text }]
    problems.push(unreadable(`policy.guardrails[${at}]`, path, read.why))
    return []
  })
  if (sources === undefined) return undefined
  const read = readGuardrails(sources)
  problems.push(...read.problems)
  // Whose keys a token uses stands in its lines: no receipt tells it, and no verdict may be made up.
  if (lines === undefined && read.guardrails.some(({ mentions }) => mentions.includes('keys')))
    problems.push({
      path: 'policy.guardrails',
      got: 'a guardrail that reads `principal.keys`, and no lines',
      repair: 'set policy.lines, beginning with `keys = <person>` where the tokens do',
    })
  return read.guardrails
}

function unreadable(path: string, file: string, why: string): Problem {
  return { path, got: `\`${file}\` (${why})`, repair: 'name a file that can be read' }
}

function expectation(
  { receipt, is }: { readonly receipt: string; readonly is: string },
  path: string,
  problems: Problem[],
): readonly Expectation[] {
  if (is === 'allowed' || Object.hasOwn(ERRORS, is)) return [{ receipt, is: is as Verdict }]
  const repair = 'write `allowed`, or a code that docs/errors.md has'
  problems.push({ path, got: `\`${is}\``, repair })
  return []
}

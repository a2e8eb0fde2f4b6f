import {
  boolean,
  createReport,
  integer,
  isMembers,
  list,
  members,
  oneOf,
  text,
  value,
  type Check,
  type FieldProblem,
  type Members,
  type Report,
} from './check.ts'
import { freezeDeep } from './freeze.ts'
import { WANT_CHECKS, checkTogether } from './want/fields.ts'
import type { Page, Result, Where } from './want/types.ts'

/** What is done to a target. */
export type Op = 'call' | 'list' | 'get' | 'count' | 'put' | 'patch' | 'delete'

/** How a call is carried out. */
export interface Control {
  /** Milliseconds. */
  readonly timeout_ms?: number
  readonly idempotency_key?: string
  readonly dry_run?: boolean
  readonly retries?: number
}

/** Every call, through every door, as policy sees it and the receipt records it. */
export interface Envelope {
  /** A row's name, or a collection of the gateway. */
  readonly target: string
  readonly op: Op
  /** Arguments of a call, or what is put; deeply frozen: what was checked is what is sent. */
  readonly args?: Readonly<Record<string, unknown>>
  readonly where?: Where
  readonly select?: readonly string[]
  /** Names of earlier calls of the same batch that this one depends on. */
  readonly with?: readonly string[]
  readonly order?: readonly string[]
  readonly page?: Page
  readonly control?: Control
  readonly want?: Result
}

/** An envelope that was read, or all that is wrong with it. */
export type ParsedEnvelope =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

const COLLECTIONS: readonly string[] = ['directory', 'ledger', 'store', 'people', 'articles']
const COLLECTION_OPS: readonly string[] = ['list', 'get', 'count', 'put', 'patch', 'delete']

/** Those that write something. */
const WRITING_OPS: readonly string[] = ['put', 'patch']

/** Names of catalog rows. */
export const ROW_NAME = /^[A-Z][A-Z0-9_]{0,127}$/

const control = members({
  timeout_ms: integer(1, 3_600_000),
  idempotency_key: value(
    (got) => typeof got === 'string' && /^[\x21-\x7e]{1,255}$/.test(got),
    'write 1 to 255 visible ASCII characters',
  ),
  dry_run: boolean,
  retries: integer(0, 5),
  detach: (got, path, report) =>
    report.unsupported(path, got, 'leave it out: a call is waited for'),
})

const CHECKS = {
  target: value(
    (got) => typeof got === 'string' && (ROW_NAME.test(got) || COLLECTIONS.includes(got)),
    `name a row such as GITHUB_ISSUES_LIST_FOR_REPO, or one of ${COLLECTIONS.join(', ')}`,
  ),
  op: oneOf(['call', ...COLLECTION_OPS]),
  args: value(isMembers, 'write an object of arguments'),
  with: list(text),
  control,
  ...WANT_CHECKS,
} satisfies Record<string, Check>

/** Reads an envelope from a value that came from outside. */
export function parseEnvelope(got: unknown): ParsedEnvelope {
  const report = createReport()
  members(CHECKS)(got, '', report)
  if (isMembers(got)) checkPresence(got, report)
  if (report.problems.length === 0) {
    checkOp(got as Members, report)
    checkTogether(got as Members, '', report)
  }
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  return { ok: true, envelope: freezeDeep(got as Envelope) }
}

function checkPresence(fields: Members, report: Report): void {
  for (const name of ['target', 'op']) {
    if (fields[name] === undefined) report.malformed(name, undefined, `write the ${name}`)
  }
}

/** A row is called and nothing else; a collection is everything but called, and takes as arguments what is written into it. */
function checkOp(fields: Members, report: Report): void {
  const isRow = ROW_NAME.test(fields['target'] as string)
  if (isRow !== (fields['op'] === 'call')) {
    const repair = isRow ? 'use call, as for every row' : `use one of ${COLLECTION_OPS.join(', ')}`
    report.malformed('op', fields['op'], repair)
  }
  if (!isRow && fields['args'] !== undefined && !WRITING_OPS.includes(fields['op'] as string)) {
    report.malformed('args', fields['args'], 'use where, as for every collection')
  }
}

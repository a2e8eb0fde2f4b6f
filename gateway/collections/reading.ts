import type { Envelope, FieldProblem, Want } from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Reply } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal } from '../refusal.ts'

/** Members of an envelope that say which rows, and what of them. */
type Member = 'args' | 'control' | 'order' | 'page' | 'select' | 'want' | 'where'

/** What `get` takes, which gives one row, and `count`, which gives none. */
export const OF_GET: readonly Member[] = ['where', 'select']
export const OF_COUNT: readonly Member[] = ['where']
/** Control is of calls, and to read is none. */
const OF_LIST: readonly Member[] = ['where', 'select', 'order', 'page', 'want']

const MEMBERS: readonly Member[] = ['args', 'control', 'order', 'page', 'select', 'want', 'where']

/**
 * Checks that an envelope has nothing but what its op takes.
 * @throws Refusal
 */
export function checkMembers(envelope: Envelope, taken: readonly Member[]): void {
  const problems = MEMBERS.flatMap((name): readonly FieldProblem[] =>
    envelope[name] === undefined || taken.includes(name)
      ? []
      : [
          {
            code: 'not_supported',
            path: name,
            got: `${name} beside ${envelope.op} of ${envelope.target}`,
            repair: `leave it out: use ${taken.join(', ')}`,
          },
        ],
  )
  if (problems.length > 0) throw refusalOfProblems(problems)
}

/**
 * What is wanted of a list.
 * @throws Refusal for forms that only answers of upstreams have
 */
export function wantOfList(envelope: Envelope): Want {
  checkMembers(envelope, OF_LIST)
  const { where, select, order, page, want } = envelope
  const { shape, format = 'json' } = want ?? {}
  if (format !== 'json') throw unsupported('want.format', format, 'use json, or leave it out')
  if (shape === 'receipt')
    throw unsupported('want.shape', shape, 'leave it out: to read leaves no receipt')
  return {
    ...(where && { where }),
    ...(select && { select }),
    ...(order && { order }),
    ...(page && { page }),
    ...(want && { want }),
  }
}

function unsupported(path: string, got: string, repair: string) {
  return refusalOfProblems([{ code: 'not_supported', path, got, repair }])
}

/** No row is what `get` named. */
export function noRow({ target }: Envelope) {
  return refusal('not_found', 'where', {
    got: `nothing of ${target} that this token reads`,
    repair: 'write another where, or list what there is',
  })
}

/**
 * An answer that is no call's: it names the head of the ledger, and no receipt.
 * @throws Refusal where it is larger than was asked for
 */
export function readReply(value: object, want: Want, { head, headers }: DoorAround): Reply {
  const body = Buffer.from(`${JSON.stringify(value)}\n`)
  if (body.length > (want.want?.max_bytes ?? Infinity))
    throw refusal('too_large', 'want.max_bytes', {
      got: `an answer of ${body.length} bytes`,
      repair: 'ask for fewer rows or fields, or for more bytes',
    })
  const fields = ['content-type', 'application/json', 'cache-control', 'no-store']
  return { status: 200, headers: [...fields, headers.head, head().hash], body }
}

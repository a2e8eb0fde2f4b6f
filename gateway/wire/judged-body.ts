import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { inputFormOf, parseFormBody, parseJsonBody, type Tool } from '../../catalog/index.ts'
import type { VerifiedToken } from '../../policy/index.ts'
import type { Notes } from '../notes.ts'
import { refusal, type Refusal } from '../refusal.ts'
import { getAllHeaders, getHeader } from './headers.ts'
import { readAtMost } from './read-at-most.ts'

/** A request body that was read for its arguments. */
export interface JudgedBody {
  readonly bytes: Buffer
  readonly value: unknown
  /** Whether the receipt's envelope holds them; those of a larger body are in the kept body alone. */
  readonly recorded: boolean
}

/** Whose body it is, and with which head it will be sent. */
export interface BodyOwner {
  readonly tool: Tool
  readonly token: VerifiedToken
  readonly headers: RawHeaders
}

/** Up to here a body is read for the receipt's sake, though no line looks at it. */
const RECORDED_BYTES = 65_536

/**
 * Of a generic call nothing but the target is known, and an opaque body holds no arguments, so both are streamed. A row's arguments lie in its body
 * too, JSON or the form that the row says: where lines look at them it is read, once `before` has let the rest of the call through, and one that cannot
 * be read leaves nothing to judge and is refused.
 */
export async function readArgs(
  owner: BodyOwner,
  { knock, snapshot }: Notes,
  before: () => void,
): Promise<JudgedBody | undefined> {
  const { generic, opaque } = owner.tool
  if (generic === true || opaque === true || knock.body === null) return undefined
  const looked = looksAtArgs(owner) || guardLooks(owner, snapshot)
  const kind = KINDS[owner.tool.body === 'form' ? 'form' : 'json']
  const isPlain = isPlainly(kind, owner.headers)
  if (looked && !isPlain)
    throw unreadable(
      `a body that is not ${kind.plain}`,
      `send ${kind.name} in UTF-8, with one Content-Type and without a Content-Encoding`,
    )
  if (!isPlain || (!looked && !isShort(owner.headers))) return undefined
  before()
  knock.proceed()
  const { judgedBodyBytes } = snapshot.config.limits
  const bytes = await readAtMost(knock.body, judgedBodyBytes)
  if (bytes === undefined)
    throw refusal('too_large', 'body', {
      got: `more than ${judgedBodyBytes} bytes`,
      repair: 'send less, or raise limits.judged_body_bytes',
    })
  const parsed =
    bytes.length === 0 ? { ok: true as const, value: undefined } : kind.parse(bytes, owner.tool)
  if (parsed.ok) return { bytes, value: parsed.value, recorded: bytes.length <= RECORDED_BYTES }
  if (looked) throw unreadable(parsed.reason, kind.repair)
  // Nobody judges it, so what is wrong with it is for the upstream to say.
  return { bytes, value: undefined, recorded: true }
}

/** A form of body that holds arguments. */
interface BodyKind {
  readonly name: string
  readonly plain: string
  readonly repair: string
  isOfType(mediaType: string): boolean
  parse(bytes: Buffer, tool: Tool): ReturnType<typeof parseJsonBody | typeof parseFormBody>
}

const KINDS: Readonly<Record<'json' | 'form', BodyKind>> = {
  json: {
    name: 'JSON',
    plain: 'plain JSON',
    repair: 'send one JSON value, each member once',
    isOfType: (mediaType) => inputFormOf(mediaType) === 'json',
    parse: parseJsonBody,
  },
  form: {
    name: 'a form',
    plain: 'a plain form',
    repair: 'send the fields as the row says, each in one place',
    isOfType: (mediaType) => /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(mediaType),
    parse: parseFormBody,
  },
}

function unreadable(got: string, repair: string): Refusal {
  return refusal('malformed_request', 'body', { got, repair })
}

/** Whether any line of the token reads arguments of this row. */
function looksAtArgs({ token, tool }: BodyOwner): boolean {
  return token.caveats.some(
    ({ axis, subject }) =>
      axis === 'area' ||
      axis === 'model' ||
      (axis === 'arg' && subject.startsWith(`${tool.name}.`)),
  )
}

/** Whether guardrails read what may lie in the body. In shadow mode they must not change what becomes of a call. */
function guardLooks({ tool }: BodyOwner, { config, guard }: Notes['snapshot']): boolean {
  if (config.guardrails.mode === 'shadow') return false
  return guard.reads.paths || (guard.reads.models && tool.model !== undefined)
}

/** One reading for everybody: one media type, that of the row, in UTF-8 (RFC 8259, 8.1; for forms URL Standard, 5), not coded. */
function isPlainly({ isOfType }: BodyKind, headers: RawHeaders): boolean {
  const [type = '', ...others] = getAllHeaders(headers, 'content-type')
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8'
  return (
    others.length === 0 &&
    isOfType(type) &&
    /^utf-?8$/i.test(charset) &&
    getHeader(headers, 'content-encoding') === undefined
  )
}

function isShort(headers: RawHeaders): boolean {
  const length = getHeader(headers, 'content-length')
  return length !== undefined && Number(length) <= RECORDED_BYTES
}

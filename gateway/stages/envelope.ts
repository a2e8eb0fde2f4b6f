import {
  envelopeOfHttp,
  genericTool,
  inputFormOf,
  modelOf,
  parseJsonBody,
  pathBearing,
  requestTarget,
  type Envelope,
  type FieldProblem,
  type RouteMatch,
  type Tool,
} from '../../catalog/index.ts'
import type { Ask, Bearing, VerifiedToken } from '../../policy/index.ts'
import type { Call } from '../call.ts'
import { resolveUpstream, type ResolvedUpstream } from '../config/index.ts'
import type { ErrorCode } from '../errors.ts'
import type { Notes } from '../notes.ts'
import type { Ports } from '../ports.ts'
import { Refusal, refusal } from '../refusal.ts'
import { getHeader } from '../wire/headers.ts'
import { readAtMost } from '../wire/read-at-most.ts'

/** Makes of a knock the call that is judged: its row, its arguments, and what of the answer is wanted. */
export async function readEnvelope(
  notes: Notes,
  token: VerifiedToken,
  ports: Ports,
): Promise<Call> {
  const { knock, snapshot } = notes
  const upstream = resolveUpstream(snapshot, knock.origin)
  if (upstream === undefined) throw hostUnknown(knock.origin.host)
  const { tool, params } = rowOf(notes)
  const body = await bodyToJudge(tool, token, notes)
  const wanted = ports.wants.of(tool, getHeader(knock.headers, snapshot.config.headers.want))
  if (!wanted.ok) throw problems(wanted.problems)
  const envelope = envelopeOf({ tool, params }, { body: body?.value, notes })
  const ask = askOf({ tool, envelope, upstream }, notes, ports.clock.now())
  const call: Call = {
    tool,
    envelope: { ...envelope, ...wanted.want },
    upstream,
    ask,
    projection: wanted.projection,
    keep: upstream.keep ?? tool.keep ?? 'upstream',
    body: body?.bytes,
  }
  notes.call = call
  return call
}

/** A method in lower case could reach the same resource, so it does not lead around the row that describes it. */
function rowOf({ knock, snapshot }: Notes): RouteMatch {
  const { method, origin, path, shape } = knock
  const match =
    shape === 'tunnel-blind' ? undefined : snapshot.router.match(method.toUpperCase(), origin, path)
  return match ?? { tool: genericTool(method), params: {} }
}

function envelopeOf(
  { tool, params }: RouteMatch,
  { body, notes: { knock } }: { readonly body: unknown; readonly notes: Notes },
): Envelope {
  const { origin, path, headers, shape } = knock
  if (shape === 'tunnel-blind') {
    const { host, port } = origin
    return Object.freeze({ target: tool.name, op: 'call', args: Object.freeze({ host, port }) })
  }
  const header = (name: string) => getHeader(headers, name)
  const read = envelopeOfHttp({ tool, params, origin, path, body, header })
  if (!read.ok) throw problems(read.problems)
  return read.envelope
}

interface JudgedBody {
  readonly bytes: Buffer
  readonly value: unknown
}

/**
 * Of a generic call nothing but the target is known, so its body is streamed. A row's arguments lie in its JSON body
 * too; where lines look at them, a body that cannot be read leaves nothing to judge and is refused.
 */
async function bodyToJudge(
  tool: Tool,
  token: VerifiedToken,
  { knock, snapshot }: Notes,
): Promise<JudgedBody | undefined> {
  if (tool.generic || knock.body === null) return undefined
  const coded = getHeader(knock.headers, 'content-encoding')
  const form = inputFormOf(getHeader(knock.headers, 'content-type') ?? '')
  const json = form === 'json' && coded === undefined
  if (!json && !looksAtArgs(token, tool)) return undefined
  if (!json)
    throw unreadable('a body that is not plain JSON', 'send JSON without a content-encoding')
  knock.proceed()
  const { judgedBodyBytes } = snapshot.config.limits
  const bytes = await readAtMost(knock.body, judgedBodyBytes)
  if (bytes === undefined)
    throw refusal('too_large', 'body', {
      got: `more than ${judgedBodyBytes} bytes`,
      repair: 'send less, or raise limits.judgedBodyBytes',
    })
  const parsed = bytes.length === 0 ? { ok: true as const, value: undefined } : parseJsonBody(bytes)
  if (!parsed.ok) throw unreadable(parsed.reason, 'send one JSON value, each member once')
  return { bytes, value: parsed.value }
}

function unreadable(got: string, repair: string): Refusal {
  return refusal('malformed_request', 'body', { got, repair })
}

/** Whether any line of the token reads arguments of this row. */
function looksAtArgs({ caveats }: VerifiedToken, { name }: Tool): boolean {
  return caveats.some(
    ({ axis, subject }) =>
      axis === 'area' || axis === 'model' || (axis === 'arg' && subject.startsWith(`${name}.`)),
  )
}

interface Resolved {
  readonly tool: Tool
  readonly envelope: Envelope
  readonly upstream: ResolvedUpstream
}

function askOf({ tool, envelope, upstream }: Resolved, { knock }: Notes, now: number): Ask {
  const args = envelope.args ?? {}
  return {
    target: requestTarget(knock.method, knock.origin, knock.path),
    tool: tool.name,
    way: knock.door,
    now,
    args,
    paths: stated(pathBearing(tool, args), upstream.bears.area),
    model: stated(modelOf(tool, args), upstream.bears.model),
    runsCode: tool.runs === 'code',
  }
}

/** What is not known of a call is known where the operator stated that this host bears no such thing. */
function stated(bearing: Bearing, bears: boolean): Bearing {
  return bearing.kind === 'unknown' && !bears ? { kind: 'none' } : bearing
}

function problems(found: readonly FieldProblem[]): Refusal {
  const code: ErrorCode = found[0]?.code ?? 'malformed_request'
  return new Refusal(
    code,
    found.map(({ path, got, repair }) => ({ axis: path, got, repair })),
  )
}

function hostUnknown(host: string): Refusal {
  return refusal('host_unknown', 'host', {
    got: host,
    repair: 'ask the operator to list the host under `upstreams`',
  })
}

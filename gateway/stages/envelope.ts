import type { RawHeaders } from '../../adapters/upstream/port.ts'
import {
  envelopeOfHttp,
  genericTool,
  requestTarget,
  type Envelope,
  type RouteMatch,
  type Tool,
} from '../../catalog/index.ts'
import type { Ask, VerifiedToken } from '../../policy/index.ts'
import { bearingsOf } from '../bearings.ts'
import type { Call } from '../call.ts'
import { resolveUpstream, type ResolvedUpstream } from '../config/index.ts'
import { isInner, type InnerRoute } from '../inner.ts'
import type { Knock } from '../knock.ts'
import { leashed } from '../leash.ts'
import type { Notes } from '../notes.ts'
import type { JudgingPorts } from '../ports.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal, refusalOfReasons, type Refusal } from '../refusal.ts'
import { forwardedHead } from '../wire/forwarded-head.ts'
import { getAllHeaders } from '../wire/headers.ts'
import { readArgs } from '../wire/judged-body.ts'
import { withoutSessions } from '../wire/session-fields.ts'
import { checkCaller } from '../still.ts'

/** Makes of a knock the call that is judged: its row, its arguments, and what of the answer is wanted. */
export async function readEnvelope(
  notes: Notes,
  token: VerifiedToken,
  ports: JudgingPorts,
): Promise<Call> {
  const { knock, snapshot } = notes
  const names = snapshot.config.headers
  const inner = innerRoute(notes, token, ports)
  const upstream = inner?.upstream ?? resolveUpstream(snapshot, knock.origin)
  if (upstream === undefined) throw hostUnknown(knock.origin.host)
  const route = inner?.route ?? rowOf(notes)
  const { tool } = route
  const headers = headOf(notes)
  const wanted = ports.wants.of(tool, onlyValue(knock.headers, names.want))
  if (!wanted.ok) throw refusalOfProblems(wanted.problems)
  const bare = envelopeOf(route, { headers, knock, body: undefined })
  const ask = askOf({ tool, envelope: bare, upstream }, notes, ports.clock.now())
  const judged = leashed(token, ports)
  const body = await readArgs({ tool, token: judged, headers }, notes, () =>
    judgeEarly(judged, ask, ports),
  )
  if (body !== undefined) checkCaller(token, notes, ports)
  const whole = body === undefined ? bare : envelopeOf(route, { headers, knock, body: body.value })
  const call: Call = {
    tool,
    envelope: { ...(body?.recorded === false ? bare : whole), ...wanted.want },
    upstream,
    ask:
      body === undefined
        ? ask
        : askOf({ tool, envelope: whole, upstream }, notes, ports.clock.now()),
    projection: wanted.projection,
    headers,
    keep: upstream.keep ?? tool.keep ?? 'upstream',
    body: body?.bytes,
  }
  notes.call = call
  return call
}

/** Who brought no session has none to be taken out. */
function headOf({ knock, person, snapshot }: Notes): RawHeaders {
  const { headers: names, persons } = snapshot.config
  const head = forwardedHead(knock, [names.want])
  if (person === undefined) return head
  return withoutSessions(head, { header: names.session, cookie: persons.cookie })
}

/** What is called inside; the one key of a place there is no person's, and is not used where a person's keys are meant. */
function innerRoute(
  notes: Notes,
  { keysOf }: VerifiedToken,
  { inner }: JudgingPorts,
): InnerRoute | undefined {
  const { shape, method, path } = notes.knock
  if (!isInner(shape)) return undefined
  const found = inner[shape].route(method, path)
  if (found.key === undefined) return found
  if (keysOf !== undefined)
    throw refusal('key_unavailable', 'keys', {
      got: 'a token for the keys of one person, and a server that has one key for all',
      repair: 'use a token without a `keys` line',
    })
  notes.key = found.key
  return found
}

/** A method in lower case could reach the same resource, so it does not lead around the row that describes it. */
function rowOf({ knock, snapshot }: Notes): RouteMatch {
  const { method, origin, path, shape } = knock
  const match =
    shape === 'tunnel-blind' ? undefined : snapshot.router.match(method.toUpperCase(), origin, path)
  return match ?? { tool: genericTool(method), params: {} }
}

interface Read {
  readonly headers: RawHeaders
  readonly knock: Knock
  readonly body: unknown
}

function envelopeOf({ tool, params }: RouteMatch, { headers, knock, body }: Read): Envelope {
  const { origin, path, shape } = knock
  if (shape === 'tunnel-blind') {
    const { host, port } = origin
    return Object.freeze({ target: tool.name, op: 'call', args: Object.freeze({ host, port }) })
  }
  const header = (name: string) => onlyValue(headers, name)
  const read = envelopeOfHttp({ tool, params, origin, path, body, header })
  if (!read.ok) throw refusalOfProblems(read.problems)
  return read.envelope
}

/** A field that means something here stands once, or who reads it decides which one counts. */
function onlyValue(headers: RawHeaders, name: string): string | undefined {
  const values = getAllHeaders(headers, name)
  if (values.length > 1)
    throw refusal('malformed_request', name, {
      got: `${values.length} lines of ${name}`,
      repair: 'send the field once',
    })
  return values[0]
}

/** The lines that look at no argument are judged before a byte of the body is asked for. */
function judgeEarly(token: VerifiedToken, ask: Ask, { decider }: JudgingPorts): void {
  const nothing = { kind: 'none' } as const
  const { reasons } = decider.judge(token, { ...ask, args: {}, paths: nothing, model: nothing })
  const early = reasons.filter(({ axis }) => axis !== 'arg')
  if (early.length > 0) throw refusalOfReasons(early)
}

interface Resolved {
  readonly tool: Tool
  readonly envelope: Envelope
  readonly upstream: ResolvedUpstream
}

function askOf({ tool, envelope, upstream }: Resolved, { knock, person }: Notes, now: number): Ask {
  const args = envelope.args ?? {}
  return {
    target: requestTarget(knock.method, knock.origin, knock.path),
    tool: tool.name,
    way: knock.door,
    now,
    ...(person === undefined ? {} : { person }),
    args,
    ...bearingsOf(tool, args, upstream.bears),
  }
}

function hostUnknown(host: string): Refusal {
  return refusal('host_unknown', 'host', {
    got: host,
    repair: 'ask the operator to list the host under `upstreams`',
  })
}

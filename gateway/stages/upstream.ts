import { pipeline, Readable } from 'node:stream'
import type { Answer, UpstreamRequest } from '../../adapters/upstream/port.ts'
import type { Permit } from '../../policy/index.ts'
import type { Armed, Call } from '../call.ts'
import { isInner } from '../inner.ts'
import type { Notes } from '../notes.ts'
import type { Watch } from '../open.ts'
import type { Ports } from '../ports.ts'
import { Refusal } from '../refusal.ts'
import { dropBody } from '../wire/answer-stream.ts'
import { forwardAnswerHeaders, forwardTrailers, getHeader } from '../wire/headers.ts'
import { keptBodies, recorderFor } from '../wire/record-body.ts'
import { RequestBody } from '../wire/request-body.ts'
import { askAgain, checkUncut } from '../still.ts'

export interface Sending {
  readonly call: Call
  readonly armed: Armed
  readonly permit: Permit
  readonly watch: Watch
}

/** Sends the call, or opens the tunnel that is not looked into. The client's going and a cut end it. */
export async function sendUpstream(sending: Sending, notes: Notes, ports: Ports): Promise<Answer> {
  const { knock } = notes
  checkUncut(sending.watch)
  sending.watch.onCut(knock.cancel)
  const answer =
    knock.shape === 'tunnel-blind'
      ? await openTunnel(sending, notes, ports)
      : await sendArmed(sending, notes, ports)
  notes.address = answer.address
  notes.status = answer.status
  return answer
}

/** Once more with a new access token, where the upstream did not take the one that was held. */
async function sendArmed(sending: Sending, notes: Notes, ports: Ports): Promise<Answer> {
  const { armed, permit } = sending
  const { shape } = notes.knock
  const upstream = isInner(shape) ? ports.inner[shape] : ports.upstream
  const answer = await upstream.send(requestOf(sending, notes, ports), permit)
  if (answer.status !== 401 || armed.renew === undefined) return answer
  // Without a new token, or the leave to use it, the upstream's own answer says what is wrong.
  const again = await renewed(sending, notes, ports).catch(() => undefined)
  if (again === undefined) return answer
  dropBody(answer.body)
  return ports.upstream.send(requestOf({ ...sending, armed: again }, notes, ports), permit)
}

async function renewed(
  { armed, watch }: Sending,
  notes: Notes,
  ports: Ports,
): Promise<Armed | undefined> {
  const again = await armed.renew?.()
  if (again !== undefined) await askAgain(watch, notes, ports)
  return again
}

function requestOf({ call, armed }: Sending, notes: Notes, ports: Ports): UpstreamRequest {
  const { knock } = notes
  const { limits } = notes.snapshot.config
  const redactor = notes.snapshot.keyring.redactorFor(call.upstream)
  const body = bodyOf(call, armed, notes, ports)
  return {
    origin: knock.origin,
    route: call.upstream.route,
    method: knock.method,
    path: knock.path,
    splices: armed.splices,
    headers: armed.headers,
    body,
    trailers: () => forwardTrailers(knock.trailers(), armed.headers),
    upgrade: knock.upgrade,
    http2: knock.httpVersion === '2',
    signal: knock.signal,
    timeouts: {
      connect: limits.upstreamConnectMs,
      head: limits.upstreamHeadMs,
      idle: limits.upstreamIdleMs,
    },
    onInformation: (status, headers) => {
      const fields = forwardAnswerHeaders(headers, Object.values(notes.snapshot.config.headers))
      knock.inform(status, redactor === undefined ? fields : redactor.redactHeaders(fields))
    },
  }
}

function bodyOf(call: Call, armed: Armed, notes: Notes, ports: Ports): Readable | null {
  const held = armed.body?.sent ?? call.body
  const source = held === undefined ? notes.knock.body : Readable.from([held])
  if (source === null) return null
  const mediaType = getHeader(notes.knock.headers, 'content-type')
  const keeping = { bodies: ports.bodies, redactor: notes.snapshot.keyring.redactor }
  const { lookout, body: { seen } = {} } = armed
  const recorder = recorderFor(keptBodies(call.keep), keeping, mediaType)
  const body = new RequestBody(recorder, { seen, lookout })
  notes.request = body
  notes.knock.proceed()
  if (source.errored !== null) throw source.errored
  source.once('error', (error) => {
    if (error instanceof Refusal) notes.stopped ??= error
  })
  // A client that goes in mid-body destroys `body`, which the driver takes as the end of the request.
  return pipeline(source, body, () => {})
}

async function openTunnel(
  { call, permit }: Sending,
  { knock, snapshot }: Notes,
  ports: Ports,
): Promise<Answer> {
  const { limits } = snapshot.config
  const { socket, address } = await ports.upstream.connect(
    knock.origin,
    call.upstream.route,
    permit,
    {
      signal: knock.signal,
      timeout: limits.upstreamConnectMs,
    },
  )
  return {
    status: 200,
    statusText: 'Connection Established',
    headers: [],
    body: Readable.from([]),
    trailers: () => [],
    address,
    socket,
  }
}

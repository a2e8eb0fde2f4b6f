import { Readable } from 'node:stream'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import {
  bodyTypeOf,
  requestOfCall,
  type Envelope,
  type Router,
  type Tool,
  type WrittenRequest,
} from '../../catalog/index.ts'
import type { Config } from '../config/types.ts'
import { innerOf } from '../inner.ts'
import type { Knock } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { Refusal } from '../refusal.ts'
import { getAllHeaders } from '../wire/headers.ts'
import { carriedOut } from './control.ts'

/** What it takes to write a call as a knock. */
export interface WritingPorts {
  readonly router: Router
  readonly headers: Config['headers']
}

interface WrittenAs {
  readonly envelope: Envelope
  readonly tool: Tool
}

/**
 * The knock with the call in its place: the request that the row describes, for the same client and token, to be judged like any
 * other that came through a proxy. What is wrong with a dry run is its answer.
 * @throws Refusal for arguments that cannot be written
 */
export function knockOfCall(asked: Knock, call: WrittenAs, ports: WritingPorts): Knock {
  if (call.envelope.control?.dry_run !== true) return writtenKnock(asked, call, ports)
  return { ...refusedOr(asked, () => writtenKnock(asked, call, ports)), dryRun: true }
}

function writtenKnock(asked: Knock, { envelope, tool }: WrittenAs, ports: WritingPorts): Knock {
  const { control = {}, args = {} } = envelope
  checkBody(tool)
  const written = requestOfCall(tool, args)
  if (!written.ok) throw refusalOfProblems(written.problems)
  const { method, origin, path, body } = written.request
  const stream = () => (body === undefined ? null : Readable.from([Buffer.from(body)]))
  checkRow(tool, written.request, ports.router)
  return {
    ...asked,
    shape: innerOf(tool) ?? asked.shape,
    method,
    origin,
    path,
    headers: headersOf(asked, envelope, { tool, request: written.request, ports }),
    body: stream(),
    trailers: () => [],
    ...carriedOut(control, method, stream),
  }
}

/** The knock with a request in its place that its client wrote itself. */
export function knockOfRequest(asked: Knock, request: WrittenRequest, ports: WritingPorts): Knock {
  const { method, origin, path, headers, body } = request
  return {
    ...asked,
    method,
    origin,
    path,
    headers: [...headers, ...lengthOf(body, method), ...sessionOf(asked, ports)],
    body: body === undefined ? null : Readable.from([Buffer.from(body)]),
    trailers: () => [],
  }
}

/** What is made of a knock, or the knock with what is wrong with it, which the exchange records. */
export function refusedOr(asked: Knock, make: () => Knock): Knock {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...asked, body: null, refused: error }
  }
}

/** Another row may describe what the arguments make of this one's path: then it is not the one that was named. */
function checkRow(tool: Tool, { method, origin, path }: WrittenRequest, router: Router): void {
  const match = router.match(method, origin, path)
  if (tool.generic === true || innerOf(tool) !== undefined || match?.tool === tool) return
  const repair =
    match === undefined
      ? 'write other path arguments: no row is at that path'
      : `write other path arguments, or call ${match.tool.name}: it is the row at that path`
  throw refusalOfProblems([{ code: 'malformed_request', path: 'args', got: path, repair }])
}

function checkBody({ name, opaque, method }: Tool): void {
  if (opaque !== true || method !== 'PUT') return
  const repair = 'put the bytes to the address of the object'
  throw refusalOfProblems([{ code: 'not_supported', path: 'target', got: name, repair }])
}

interface Written {
  readonly tool: Tool
  readonly request: WrittenRequest
  readonly ports: WritingPorts
}

function headersOf(
  asked: Knock,
  envelope: Envelope,
  { tool, request, ports }: Written,
): RawHeaders {
  const { body } = request
  const { idempotency_key: key } = envelope.control ?? {}
  const want = wantOf(envelope)
  return [
    'accept',
    'application/json, */*;q=0.5',
    'user-agent',
    'narrowgate',
    ...request.headers,
    ...(key === undefined ? [] : ['idempotency-key', key]),
    ...(want === undefined ? [] : [ports.headers.want, want]),
    ...(body === undefined ? [] : ['content-type', bodyTypeOf(tool)]),
    ...lengthOf(body, request.method),
    ...sessionOf(asked, ports),
  ]
}

/** A method that usually has a body says, too, that there is none (RFC 9110, 8.6). */
function lengthOf(body: string | undefined, method: string): readonly string[] {
  if (body !== undefined) return ['content-length', String(Buffer.byteLength(body))]
  return ['POST', 'PUT', 'PATCH'].includes(method) ? ['content-length', '0'] : []
}

/** Who is signed in is said by the request that asked. */
export function sessionOf({ headers }: Knock, ports: WritingPorts): RawHeaders {
  return ['cookie', ports.headers.session].flatMap((name) =>
    getAllHeaders(headers, name).flatMap((value) => [name, value]),
  )
}

/** What is wanted of the answer as the request field has it, in ASCII; undefined for the whole answer. */
function wantOf({ where, select, order, page, want }: Envelope): string | undefined {
  const text = JSON.stringify({ where, select, order, page, want })
  if (text === '{}') return undefined
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

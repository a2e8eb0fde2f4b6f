import type { Head } from '../adapters/ledger/port.ts'
import type { RawHeaders } from '../adapters/upstream/port.ts'
import { grpcFields, isGrpc } from './grpc.ts'
import type { Reply } from './knock.ts'
import type { Notes } from './notes.ts'
import { problemDocument, refusalFields, type Refusal } from './refusal.ts'

/**
 * A refusal as every HTTP door sends it: a problem document, and a header that tells it from an upstream's own. gRPC has
 * fields in place of the document. `head` is what the answer's reader can hold the ledger to.
 */
export function refusalReply(
  refused: Refusal,
  { ran, head }: { readonly ran: boolean | 'unknown'; readonly head: Head },
  notes: Notes,
): Reply {
  const names = notes.snapshot.config.headers
  const { redactor } = notes.snapshot.keyring
  const status = statusFor(refused, notes)
  const receipt = notes.closing === undefined ? undefined : notes.id
  const marks: string[] = [...refusalFields(refused, names.refused)]
  if (receipt !== undefined) marks.push(names.receipt, receipt)
  marks.push(names.head, head.hash, ...challenge(refused, notes))
  const close = refused.closes
  if (isGrpc(notes.knock)) {
    const fields = grpcFields(refused, ran, (text) => redactor.redactText(text))
    return { status: 200, headers: [...fields, ...marks], body: null, close }
  }
  const document = redactor.redactText(
    JSON.stringify(problemDocument(refused, { status, ran, receipt })),
  )
  const headers = ['content-type', 'application/problem+json', ...marks]
  return { status, headers, body: Buffer.from(document + '\n'), close }
}

/** A proxy asks for credentials with 407, everything else with 401 (RFC 9110, 15.5.2 and 15.5.8). */
function statusFor(refused: Refusal, { knock }: Notes): number {
  return refused.status === 401 && isDirectProxy(knock.shape) ? 407 : refused.status
}

/** Inside a tunnel the client speaks to the upstream: a 407 there would make no sense to it. */
function isDirectProxy(shape: string): boolean {
  return shape === 'absolute' || shape === 'tunnel-blind'
}

function challenge(refused: Refusal, { knock }: Notes): RawHeaders {
  if (refused.status !== 401) return []
  const name = isDirectProxy(knock.shape) ? 'proxy-authenticate' : 'www-authenticate'
  return [name, 'Basic realm="narrowgate"']
}

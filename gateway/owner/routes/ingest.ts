import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IngestFault } from '../../../adapters/ledger/port.ts'
import type { ErrorCode } from '../../errors.ts'
import { refusal, type Refusal } from '../../refusal.ts'
import type { OwnerPorts } from '../ports.ts'
import { ledgerOut } from '../record.ts'
import { addDoors } from './doors.ts'

const MEDIA_TYPE = 'application/x-ndjson'

const CODES: Readonly<Record<IngestFault['code'], ErrorCode>> = {
  gap: 'chain_gap',
  fork: 'chain_fork',
  mismatch: 'chain_mismatch',
  taken: 'id_taken',
  malformed: 'malformed_request',
}

const REPAIRS: Readonly<Record<IngestFault['code'], string>> = {
  gap: 'send a segment’s header and what is missing first',
  fork: 'look for what changed the log: two of one name cannot both be true',
  mismatch: 'send the line as the recorder’s log has it',
  taken: 'send another recorder’s log',
  malformed: 'send lines of a segment, its header first, each a hash, a space and a record',
}

/** Takes in what other recorders wrote: their segments, line by line, as they stream in. */
export function ingestRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  void app.register(async (door) => {
    // Elsewhere such a body is no body; here it is read as it comes.
    door.addContentTypeParser(MEDIA_TYPE, async () => undefined)
    addDoors(door, '/api/ledger/ingest', {
      POST: { handler: (request) => ingest(request, ports) },
    })
  })
}

async function ingest(request: FastifyRequest, ports: OwnerPorts): Promise<object> {
  try {
    return await ports.ingest.take(bounded(request, ports.ingestBytes()))
  } catch (error) {
    // The rest is read and dropped, so that the client comes to read the answer.
    request.raw.resume()
    throw asRefusal(error)
  }
}

/** The body's pieces up to a limit. The request outlives a reader that breaks off: it is still to be answered. */
async function* bounded({ raw }: FastifyRequest, limit: number): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    const piece = chunk as Buffer
    yield piece.subarray(0, limit - bytes)
    bytes += piece.length
    if (bytes > limit)
      throw refusal('too_large', 'body', {
        got: `more than ${limit} bytes`,
        repair: 'send fewer lines at a time, each time behind their segment’s header',
      })
  }
}

function asRefusal(error: unknown): unknown {
  if (isIngestFault(error)) return faultOf(error)
  const { code } = error as { readonly code?: unknown }
  return code === 'ledger_unavailable' || isFullDisk(code) ? ledgerOut(error) : error
}

function isFullDisk(code: unknown): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO' || code === 'EROFS'
}

function isIngestFault(error: unknown): error is IngestFault {
  return error instanceof Error && error.name === 'IngestFault'
}

function faultOf({ code, message, record, head }: IngestFault): Refusal {
  const axis = record === undefined ? 'line' : record === 0 ? 'header' : `record ${record}`
  const kept =
    head === undefined ? '' : `; of \`${head.writer}\` all is here up to ${head.n}, ${head.hash}`
  return refusal(CODES[code], axis, { got: `${message}${kept}`, repair: REPAIRS[code] })
}

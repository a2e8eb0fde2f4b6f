import type { FastifyInstance, FastifyRequest } from 'fastify'
import { wantIn } from '../../holder-receipts.ts'
import { recut } from '../../recut.ts'
import { refusal } from '../../refusal.ts'
import type { OwnerPorts } from '../ports.ts'
import { readReceiptQuery } from '../receipt-query.ts'
import { addGet } from './get.ts'

const SUFFIX = '.json'

/** Receipts, one and many. What was durable when the request came in is in the answer. */
export function ledgerRoutes(app: FastifyInstance, { index, recut: ports }: OwnerPorts): void {
  addGet(app, '/ledger/exchanges/:file', async (request, reply) => {
    const id = receiptId(request)
    const want = wantIn(request.raw.url?.split('?').slice(1).join('?') ?? '')
    await index.sync()
    const receipt = id === undefined ? undefined : await index.get(id)
    if (receipt !== undefined) {
      if (want === undefined) return receipt
      const { headers, body } = await recut(receipt, want, ports)
      for (let at = 0; at + 1 < headers.length; at += 2)
        reply.header(headers[at] ?? '', headers[at + 1] ?? '')
      return reply.send(body)
    }
    throw refusal('not_found', 'receipt', {
      got: 'an id without a receipt',
      repair: 'see `/api/receipts` for the ids',
    })
  })
  addGet(app, '/api/receipts', async (request) => {
    const query = readReceiptQuery(request.query)
    await index.sync()
    const receipts = await index.list(query)
    const full = receipts.length === query.limit
    return { receipts, next: full ? (receipts.at(-1)?.seq ?? null) : null }
  })
}

function receiptId({ params }: FastifyRequest): string | undefined {
  const { file } = params as { readonly file: string }
  return file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : undefined
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import type { OwnerPorts } from '../ports.ts'
import { readReceiptQuery } from '../receipt-query.ts'
import { addGet } from './get.ts'

const SUFFIX = '.json'

/** Receipts, one and many. What was durable when the request came in is in the answer. */
export function ledgerRoutes(app: FastifyInstance, { index }: OwnerPorts): void {
  addGet(app, '/ledger/exchanges/:file', async (request) => {
    const id = receiptId(request)
    await index.sync()
    const receipt = id === undefined ? undefined : await index.get(id)
    if (receipt !== undefined) return receipt
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

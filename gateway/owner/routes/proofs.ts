import type { FastifyInstance } from 'fastify'
import type { Receipt } from '../../../adapters/ledger/port.ts'
import { refusal } from '../../refusal.ts'
import { readParameters, wholeNumber } from '../../parameters.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

const SIZE = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const LONGEST_ID = 128

/** Signed heads of the log, and proofs against them: what a stranger needs who does not trust this gateway. */
export function proofRoutes(app: FastifyInstance, { index, proofs }: OwnerPorts): void {
  const told = telling(proofs)
  addGet(app, '/api/ledger/checkpoint', async (request, reply) => {
    const { size } = readParameters(request.query, { size: SIZE })
    const checkpoint = await told(async () =>
      size === undefined ? (proofs.latest() ?? proofs.sign()) : proofs.at(Number(size)),
    )
    if (checkpoint === undefined) throw beyond(`\`${size}\` records`)
    return reply.type('text/plain; charset=utf-8').send(checkpoint.note)
  })
  addGet(app, '/api/ledger/proof/inclusion', async (request) => {
    const { receipt: id = '' } = readParameters(request.query, { receipt: checkId })
    if (id === '') throw missing('receipt', 'name the receipt')
    await index.sync()
    const receipt = await index.get(id)
    const proof = receipt && (await told(() => proofs.inclusion(timesOf(receipt))))
    if (proof !== undefined)
      return { receipt: id, checkpoint: proof.checkpoint.note, records: proof.records }
    throw refusal('not_found', 'receipt', {
      got: 'an id without records in the log that is written now',
      repair: 'see `/api/receipts` for the ids',
    })
  })
  addGet(app, '/api/ledger/proof/consistency', async (request) => {
    const { from, to } = readParameters(request.query, { from: SIZE, to: SIZE })
    if (from === undefined) throw missing('from', 'name the size of the older head')
    const proof = await told(async () => {
      const { size } = proofs.latest() ?? (await proofs.sign())
      return proofs.consistency(Number(from), Number(to ?? size))
    })
    if (proof === undefined) throw beyond(`\`${from}\` to \`${to ?? 'the latest'}\``)
    return { from: proof.from, to: proof.to, path: proof.path, checkpoint: proof.checkpoint.note }
  })
}

/** A log that is not what was signed has no proofs, and says so. */
function telling(proofs: OwnerPorts['proofs']) {
  return async <T>(prove: () => Promise<T>): Promise<T> => {
    try {
      return await prove()
    } catch (error) {
      const got = proofs.fault()
      if (got === undefined) throw error
      const repair = 'keep the folder as it is and see docs/ledger-verify.md'
      throw refusal('ledger_damaged', 'ledger', { got, repair })
    }
  }
}

function timesOf({ id, opened, closed }: Receipt) {
  return {
    id,
    opened: String(opened),
    closed: typeof closed === 'string' ? closed : undefined,
  }
}

function checkId(text: string): string | undefined {
  const fits = text !== '' && text.length <= LONGEST_ID
  return fits ? undefined : `write a text of 1 to ${LONGEST_ID} characters`
}

function missing(name: string, repair: string) {
  return refusal('malformed_request', name, { got: 'nothing', repair })
}

function beyond(got: string) {
  const repair = 'ask for sizes up to that of `/api/ledger/checkpoint`, the smaller one first'
  return refusal('not_found', 'size', { got, repair })
}

import type { FastifyInstance } from 'fastify'
import { Refusal, refusal, type RefusalReason } from '../../refusal.ts'
import { askLedger } from '../../views/ask.ts'
import { settle } from '../../views/settle.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'
import { readParameters } from './views.ts'

const LONGEST = 1000

/** The ledger, asked in plain words. */
export function askRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const { index, clock, cursors } = ports
  addGet(app, '/api/ledger/ask', async (request) => {
    const { minSeq, plain } = readParameters(request)
    const { q, ...others } = plain
    const strangers = Object.keys(others).map(stranger)
    if (strangers.length > 0) throw new Refusal('unknown_field', strangers)
    if (typeof q !== 'string' || q.trim() === '' || q.length > LONGEST) {
      throw refusal('malformed_request', 'q', {
        got: typeof q === 'string' ? `${q.length} characters` : 'no single text',
        repair: `ask in 1 to ${LONGEST} characters: refused calls to github yesterday by task`,
      })
    }
    await settle(index, minSeq)
    return askLedger(index, { question: q, now: clock.now(), known: ports.knownNames(), cursors })
  })
}

function stranger(name: string): RefusalReason {
  return {
    axis: name.slice(0, 80),
    got: 'an unknown parameter',
    repair: 'use q and min_seq; pages follow at the view, with what was `understood`',
  }
}

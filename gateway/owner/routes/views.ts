import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  checkWant,
  readPlainWant,
  VIEW_NAMES,
  type Parameters,
  type Want,
} from '../../../catalog/index.ts'
import { refusalOfProblems } from '../../problems.ts'
import { refusal } from '../../refusal.ts'
import { answerView, type ViewQuestion } from '../../views/answer.ts'
import { renderAnswer } from '../../views/render.ts'
import { settle } from '../../views/settle.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'

/** The views of the ledger, in the envelope's grammar or with plain parameters. */
export function viewRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const answer = async (
    question: ViewQuestion,
    minSeq: number | undefined,
    reply: FastifyReply,
  ) => {
    await settle(ports.index, minSeq)
    const answered = await answerView(ports.index, question, ports.cursors)
    const { mediaType, body } = renderAnswer(answered, question.want)
    if (typeof answered.next === 'string') reply.header(ports.cursorHeader(), answered.next)
    return reply.type(mediaType).send(body)
  }
  for (const view of VIEW_NAMES) {
    addDoors(app, `/api/ledger/${view}`, {
      GET(request, reply) {
        const { minSeq, plain } = readParameters(request)
        return answer({ view, want: wanted(readPlainWant(view, plain)) }, minSeq, reply)
      },
      POST: {
        body: BODIES.LedgerQuery,
        handler(request, reply) {
          const { minSeq, plain } = readParameters(request)
          const [stray] = Object.keys(plain)
          if (stray !== undefined)
            throw refusal('unknown_field', stray, {
              got: 'a parameter beside a body',
              repair: 'put it into the body; `min_seq` alone stands in the address',
            })
          return answer({ view, want: wanted(checkWant(request.body)) }, minSeq, reply)
        },
      },
    })
  }
}

function wanted(read: ReturnType<typeof checkWant>): Want {
  if (read.ok) return read.want
  throw refusalOfProblems(read.problems)
}

/** What every question to the ledger may name besides the question itself. */
export function readParameters(request: FastifyRequest): {
  readonly minSeq: number | undefined
  readonly plain: Parameters
} {
  const { min_seq: given, ...plain } = request.query as Parameters
  if (given === undefined) return { minSeq: undefined, plain }
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return { minSeq: Number(given), plain }
  throw refusal('malformed_request', 'min_seq', {
    got: typeof given === 'string' ? `\`${given.slice(0, 80)}\`` : 'several values',
    repair: 'write the `seq` of an earlier answer or receipt',
  })
}

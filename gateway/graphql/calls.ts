import { GraphQLError } from 'graphql'
import { checkWant, envelopeOfForm, parseWant, type ParsedWant } from '../../catalog/index.ts'
import { answerOf } from '../batch/answer.ts'
import type { BatchCall } from '../batch/calls.ts'
import { makeCall } from '../batch/make.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { createTurns } from '../turns.ts'
import type { CallContext, FieldCall } from './schema.ts'

/** As many calls of one document are under way at once. */
const AT_ONCE = 16

/** Makes the calls of one document, each of which goes the way of every call by itself. */
export function createCalls(asked: Knock, around: DoorAround): CallContext {
  const inTurn = createTurns(AT_ONCE)
  const { exchange, headers } = around
  return {
    call: (field) =>
      inTurn(async () => {
        const reply = await makeCall(doesOf(field), {
          asked,
          batch: undefined,
          exchange,
          ports: around,
        })
        const answer = await answerOf(field.tool.name, reply, headers)
        if (answer.error === undefined) return answer
        const { error: message } = answer.error as { readonly error: string }
        throw new GraphQLError(message, { extensions: { ...answer.error } })
      }),
  }
}

function doesOf({ tool, args, select, want, control }: FieldCall): BatchCall['does'] {
  const wanted = wantOf(want)
  if (!wanted.ok) return { kind: 'broken', refused: refusalOfProblems(wanted.problems) }
  const read = envelopeOfForm({
    tool: tool.name,
    args,
    ...wanted.want,
    ...given({ select, control }),
  })
  return read.ok
    ? { kind: 'tool', envelope: read.envelope }
    : { kind: 'broken', refused: refusalOfProblems(read.problems) }
}

function wantOf(want: unknown): ParsedWant {
  if (typeof want === 'string') return parseWant(want)
  return checkWant(want ?? {}, '_want')
}

/** What was not said, or said to be nothing, is left out. */
function given(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => (value ?? null) !== null))
}

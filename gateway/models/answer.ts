import { DIALECTS, parseJsonBody, type ModelCall, type ModelText } from '../../catalog/index.ts'
import type { BatchAnswer } from '../batch/answer.ts'
import { problemDocument, refusal, type Refusal } from '../refusal.ts'
import type { ModelPlace } from './place.ts'

interface Called {
  readonly call: ModelCall
  readonly place: ModelPlace
}

/** What an upstream answered, as the answer of a model: its text, or the value of the JSON that was asked for. */
export function answerOfModel(answer: BatchAnswer, { call, place }: Called): BatchAnswer {
  if (!answer.ok) return answer
  const { output, ...rest } = answer
  const read = DIALECTS[place.dialect].read(output)
  if (read === undefined) return failed(answer, noAnswer(place))
  const { text, ...beside } = read
  if (call.json !== true) return { ...rest, output: text, ...beside }
  const parsed = parseJsonBody(Buffer.from(bare(text)))
  if (parsed.ok) return { ...rest, output: parsed.value, ...beside }
  return { ...failed(answer, noJson(read, parsed.reason)), ...beside }
}

function failed({ key, status, receipt }: BatchAnswer, refused: Refusal): BatchAnswer {
  const error = problemDocument(refused, { status: refused.status, ran: true, receipt })
  return { key, ok: false, status, error, ...(receipt !== undefined && { receipt }) }
}

const FENCED = /^```(?:json)?\n([^]*)\n```$/

/** Many models put JSON into a fence, however they are asked. */
function bare(text: string): string {
  const trimmed = text.trim()
  return FENCED.exec(trimmed)?.[1] ?? trimmed
}

function noAnswer({ tool, dialect }: ModelPlace): Refusal {
  return refusal('upstream_invalid', 'answer', {
    got: `an answer of ${tool.name} without a text where \`${dialect}\` has it`,
    repair: 'see its receipt; ask the operator to check the dialect of the model',
  })
}

function noJson({ finish_reason: reason = 'none' }: ModelText, fault: string): Refusal {
  return refusal('upstream_invalid', 'json', {
    got: `a text that is no JSON (${fault}); finish reason ${reason}`,
    repair: 'ask for JSON alone in system or input, or leave json out',
  })
}

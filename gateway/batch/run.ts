import type { Reply } from '../knock.ts'
import { Refusal } from '../refusal.ts'
import { answerOf, type BatchAnswer, type Names } from './answer.ts'
import type { PlannedCall, Doing } from './calls.ts'
import { problemOfNeed } from './fault.ts'
import { namesOf, type CallNames } from './names.ts'
import { filledIn, type Outputs } from './sources.ts'
import { answerOfModel } from '../models/answer.ts'
import { requestOfModel } from '../models/write.ts'

/** As many calls of one batch are under way at once. */
const AT_ONCE = 16

/** How a batch makes its calls. */
export interface Making {
  /** Makes one call, or has it recorded why it is not made. */
  make(does: Doing): Promise<Reply>
  /** Whether the client has gone: then no other call is begun. */
  readonly gone: () => boolean
  readonly names: Names & { readonly want: string }
}

/** Makes the calls, each as soon as those that it needs have answered, and gives what came of them as they finish. */
export async function* runCalls(
  calls: readonly PlannedCall[],
  making: Making,
): AsyncGenerator<BatchAnswer, void> {
  const names = namesOf(calls)
  const outputs = new Map<string, unknown>()
  const failed = new Set<string>()
  const waiting = [...calls]
  const running = new Map<string, Promise<BatchAnswer>>()
  const isReady = ({ needs }: PlannedCall) =>
    needs.every((key) => outputs.has(key) || failed.has(key))
  while (waiting.length + running.size > 0) {
    while (running.size < AT_ONCE && !making.gone()) {
      const at = waiting.findIndex(isReady)
      if (at < 0) break
      const [call] = waiting.splice(at, 1) as [PlannedCall]
      running.set(call.key, oneCall(call, { names, outputs, failed, making }))
    }
    if (running.size === 0) return
    const answer = await Promise.race(running.values())
    running.delete(answer.key)
    if (answer.ok) outputs.set(answer.key, answer.output ?? null)
    else failed.add(answer.key)
    yield answer
  }
}

interface Around {
  readonly names: CallNames
  readonly outputs: ReadonlyMap<string, unknown>
  readonly failed: ReadonlySet<string>
  readonly making: Making
}

/** Every fault is this call's own. */
async function oneCall(call: PlannedCall, around: Around): Promise<BatchAnswer> {
  const { make, names } = around.making
  const { key, label, does } = call
  const answer = await answerOf(key, await make(readied(call, around)), names)
  const own = does.kind === 'model' ? answerOfModel(answer, does) : answer
  if (label === undefined) return own
  const { key: _key, ...rest } = own
  return { key, label, ...rest }
}

/** The call with the values that it takes from others; where it cannot be made, why. */
function readied({ needs, does }: PlannedCall, around: Around): Doing {
  const { names, outputs, failed, making } = around
  const need = needs.find((name) => failed.has(name))
  if (need !== undefined) return { kind: 'broken', refused: problemOfNeed(need) }
  // Nothing but what was waited for: else it would depend on who was first.
  const known: Outputs = { names, of: new Map(needs.map((key) => [key, outputs.get(key)])) }
  try {
    if (does.kind === 'tool') return withValues(does, known)
    if (does.kind !== 'model') return does
    const { call, place } = does
    const filled = (value: unknown) => filledIn(value, known)
    const form = requestOfModel(call, place, { filled, want: making.names.want })
    return { kind: 'http', form, within: call.timeout_ms }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { kind: 'broken', refused: error }
  }
}

type ToolCall = Extract<Doing, { readonly kind: 'tool' }>

function withValues({ kind, envelope }: ToolCall, outputs: Outputs): ToolCall {
  const { with: _needs, args, ...rest } = envelope
  if (args === undefined) return { kind, envelope: rest }
  const filled = filledIn(args, outputs) as Readonly<Record<string, unknown>>
  return { kind, envelope: { ...rest, args: filled } }
}

import type { Reply } from '../knock.ts'
import { Refusal } from '../refusal.ts'
import { answerOf, type BatchAnswer, type Names } from './answer.ts'
import type { BatchCall } from './calls.ts'
import { problemOfNeed } from './fault.ts'
import { filledIn } from './sources.ts'

/** As many calls of one batch are under way at once. */
const AT_ONCE = 16

/** How a batch makes its calls. */
export interface Making {
  /** Makes one call, or has it recorded why it is not made. */
  make(does: BatchCall['does']): Promise<Reply>
  /** Whether the client has gone: then no other call is begun. */
  readonly gone: () => boolean
  readonly names: Names
}

/** Makes the calls, each as soon as those that it needs have answered, and gives what came of them as they finish. */
export async function* runCalls(
  calls: readonly BatchCall[],
  making: Making,
): AsyncGenerator<BatchAnswer, void> {
  const outputs = new Map<string, unknown>()
  const failed = new Set<string>()
  const waiting = [...calls]
  const running = new Map<string, Promise<BatchAnswer>>()
  const isReady = ({ needs }: BatchCall) =>
    needs.every((key) => outputs.has(key) || failed.has(key))
  while (waiting.length + running.size > 0) {
    while (running.size < AT_ONCE && !making.gone()) {
      const at = waiting.findIndex(isReady)
      if (at < 0) break
      const [call] = waiting.splice(at, 1) as [BatchCall]
      running.set(call.key, oneCall(call, { outputs, failed, making }))
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
  readonly outputs: ReadonlyMap<string, unknown>
  readonly failed: ReadonlySet<string>
  readonly making: Making
}

/** Every fault is this call's own. */
async function oneCall(call: BatchCall, around: Around): Promise<BatchAnswer> {
  const { make, names } = around.making
  return answerOf(call.key, await make(readied(call, around)), names)
}

/** The call with the values that it takes from others; where it cannot be made, why. */
function readied({ needs, does }: BatchCall, { outputs, failed }: Around): BatchCall['does'] {
  const need = needs.find((name) => failed.has(name))
  if (need !== undefined) return { kind: 'broken', refused: problemOfNeed(need) }
  if (does.kind !== 'tool') return does
  try {
    return withValues(does, outputs)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { kind: 'broken', refused: error }
  }
}

type ToolCall = Extract<BatchCall['does'], { readonly kind: 'tool' }>

function withValues({ kind, envelope }: ToolCall, outputs: ReadonlyMap<string, unknown>): ToolCall {
  const { with: _needs, args = {}, ...rest } = envelope
  const filled = filledIn(args, outputs) as Readonly<Record<string, unknown>>
  return { kind, envelope: { ...rest, args: filled } }
}

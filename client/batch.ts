import { Refused, type Problem } from './refused.ts'
import type { BatchAnswer, BatchCall } from './types.ts'
import { strange, type Wire } from './wire.ts'

interface Written {
  readonly key: string
  readonly ok: boolean
  readonly status: number
  readonly output?: unknown
  readonly error?: Problem & { readonly code: string }
  readonly receipt?: string
}

/**
 * Makes all calls in one round trip and gives what came of each as it finishes.
 * @throws Refused where it is no batch
 */
export async function* answersOf(
  wire: Wire,
  calls: readonly BatchCall[],
  signal: AbortSignal | undefined,
): AsyncGenerator<BatchAnswer, void> {
  const accept = 'application/x-ndjson'
  const response = await wire.ask('/g/batch', { body: calls, accept, signal })
  if (!response.ok || response.body === null) throw strange(response)
  let left = calls.length
  for await (const line of linesOf(response.body)) {
    left -= 1
    yield answerOf(JSON.parse(line) as Written)
  }
  if (left > 0) throw new Error(`the batch ended without ${left} of its answers`)
}

/** The same, all of them, in the order of the calls. */
export async function inOrder(
  answers: AsyncIterable<BatchAnswer>,
  calls: readonly BatchCall[],
  onAnswer: (answer: BatchAnswer) => void = () => {},
): Promise<readonly BatchAnswer[]> {
  const found = new Map<string, BatchAnswer>()
  for await (const answer of answers) {
    found.set(answer.key, answer)
    onAnswer(answer)
  }
  return calls.flatMap(({ key }, at) => {
    // As the gateway names what has no key of its own, or one that it does not take.
    const names = [key ?? `${at}`, `${at}:${key ?? at}`, `${at}`]
    const name = names.find((one) => found.has(one)) ?? ''
    const answer = found.get(name)
    found.delete(name)
    return answer ?? []
  })
}

function answerOf({ key, ok, status, output, error, receipt }: Written): BatchAnswer {
  const refused = error === undefined ? null : new Refused(error.code, status, error)
  return { key, ok, status, value: output, refused, receipt: receipt ?? null }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (text + decoder.decode(piece.value, { stream: true })).split('\n')
      text = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel()
  }
}

import { Said } from './fault.ts'

/** Of one message of a server, or of one answer that is no stream of events, so many bytes are read. */
const MOST_BYTES = 33_554_432

/** The body of an answer, broken off where a message has no end; `broken` is told when it ends before its time. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  kind: 'events' | 'whole',
  broken: (error: Error) => void,
): ReadableStream<Uint8Array> {
  let pending = 0
  const reader = body.getReader()
  const fail = (error: Error, controller: ReadableStreamDefaultController) => {
    broken(error)
    controller.error(error)
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        pending = kind === 'events' ? pendingAfter(pending, value) : pending + value.length
        if (pending > MOST_BYTES) {
          void reader.cancel().catch(() => {})
          return fail(new Said(`a message of more than ${MOST_BYTES} bytes`), controller)
        }
        controller.enqueue(value)
      } catch (error) {
        fail(error as Error, controller)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const LF = 0x0a
const CR = 0x0d

/** How many bytes stand behind the last empty line, which ends an event. */
function pendingAfter(before: number, chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) {
    const [byte, previous] = [chunk[at], chunk[at - 1]]
    const ends = byte === LF && (previous === LF || (previous === CR && chunk[at - 2] === LF))
    if (ends || (byte === CR && previous === CR)) return chunk.length - at - 1
  }
  return before + chunk.length
}

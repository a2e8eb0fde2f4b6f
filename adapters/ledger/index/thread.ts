import { startWorker } from '../../threads/start.ts'
import type { ThreadAnswer } from './protocol.ts'

/** A thread that takes calls, as the gateway's thread sees it. */
export interface Thread<Call> {
  call(call: Call): Promise<unknown>
  end(): Promise<void>
}

/** Which thread: the file `worker` beside the module at `home`, what it is given, and its name in errors. */
interface ThreadParts {
  readonly home: string
  readonly data: object
  readonly name: string
}

/** The worker, as a function that answers. When it dies, every call that waits or comes later says why. */
export function createThread<Call>({ home, data, name }: ThreadParts): Thread<Call> {
  const worker = startWorker(home, data)
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let ticket = 0
  let dead: unknown
  const die = (error: unknown): void => {
    dead ??= error
    for (const caller of waiting.values()) caller.reject(dead)
    waiting.clear()
  }
  worker.on('message', ({ ticket, result }: ThreadAnswer) => {
    const caller = waiting.get(ticket)
    waiting.delete(ticket)
    if (result.ok) caller?.resolve(result.value)
    else caller?.reject(result.error)
  })
  worker.on('error', die)
  worker.on('exit', () => die(new Error(`${name}: closed`)))
  return {
    call: (call) =>
      new Promise((resolve, reject) => {
        if (dead !== undefined) return reject(dead)
        ticket += 1
        waiting.set(ticket, { resolve, reject })
        worker.postMessage({ ticket, call })
      }),
    end: async () => void (await worker.terminate()),
  }
}

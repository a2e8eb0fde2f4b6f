import { startWorker } from '../../threads/start.ts'
import { bucketFault } from '../rules/fault.ts'
import type { ObjectAnswer, ObjectAnswers, ObjectCall, ObjectFiles } from './protocol.ts'

/** The objects' thread, as the gateway's thread sees it. */
export interface ObjectThread {
  /** Rejects with a BucketError: InternalError where the thread or its file fails. */
  call<Name extends keyof ObjectAnswers>(
    call: Extract<ObjectCall, { readonly name: Name }>,
  ): Promise<ObjectAnswers[Name]>
  end(): Promise<void>
}

interface Caller {
  resolve(value: never): void
  reject(error: Error): void
}

/** The worker, as a function that answers. When it dies, every call that waits or comes later says why. */
export function createObjectThread(files: ObjectFiles): ObjectThread {
  const worker = startWorker(import.meta.url, files)
  const waiting = new Map<number, Caller>()
  let ticket = 0
  let dead: Error | undefined
  const die = (why: string): void => {
    dead ??= bucketFault('InternalError', `objects ${files.file}: ${why}`)
    for (const caller of waiting.values()) caller.reject(dead)
    waiting.clear()
  }
  worker.on('message', ({ ticket, result }: ObjectAnswer) => {
    const caller = waiting.get(ticket)
    waiting.delete(ticket)
    if (result.ok) return caller?.resolve(result.value as never)
    const { code = 'InternalError', message } = result
    caller?.reject(bucketFault(code, message))
  })
  worker.on('error', (error) => die(error instanceof Error ? error.message : String(error)))
  worker.on('exit', () => die('closed'))
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

import { Worker } from 'node:worker_threads'
import { TreeFault } from './fault.ts'
import type { TreeAnswer, TreeCall } from './protocol.ts'
import type { TreeFiles } from './writer-tree.ts'

/** The tree's thread, as a function that answers. */
export interface TreeThread {
  /** Rejects with a TreeFault where the log is damaged. */
  call(call: TreeCall): Promise<unknown>
  end(): Promise<void>
}

/** Starts the thread. When it dies, every call that waits or comes later says why. */
export function createTreeThread(files: TreeFiles): TreeThread {
  const worker = startWorker(files)
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let ticket = 0
  let dead: unknown
  const die = (error: unknown): void => {
    dead ??= error
    for (const caller of waiting.values()) caller.reject(dead)
    waiting.clear()
  }
  worker.on('message', ({ ticket, result }: TreeAnswer) => {
    const caller = waiting.get(ticket)
    waiting.delete(ticket)
    if (result.ok) caller?.resolve(result.value)
    else caller?.reject(result.damage === undefined ? result.error : new TreeFault(result.damage))
  })
  worker.on('error', die)
  worker.on('exit', () => die(new Error(`ledger tree of ${files.writer}: closed`)))
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

function startWorker(workerData: TreeFiles): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./worker.js', import.meta.url), { workerData })
  // From source, tsx's hooks do not reach a worker's entry file on Node 20 (tsx issue 354): it registers them itself.
  const [tsx, entry] = [
    import.meta.resolve('tsx/esm/api'),
    new URL('./worker.ts', import.meta.url).href,
  ]
  const boot = `import('${tsx}').then(({ register }) => (register(), import('${entry}')))`
  return new Worker(boot, { eval: true, workerData })
}

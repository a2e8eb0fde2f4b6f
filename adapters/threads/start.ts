import { Worker } from 'node:worker_threads'

/** Where the tests' loader says that threads run what was compiled, and how its address is found. */
const COMPILED = Symbol.for('narrowgate.compiled')

/**
 * Starts the file `worker` beside the one whose `import.meta.url` is given.
 * @throws Error as `Worker` does
 */
export function startWorker(home: string, workerData: unknown): Worker {
  if (!home.endsWith('.ts')) return new Worker(new URL('./worker.js', home), { workerData })
  const entry = new URL('./worker.ts', home).href
  const compiled: unknown = Reflect.get(globalThis, COMPILED)
  // What the runner of the tests loads into the process is of no use to a thread, and starts one more each.
  if (typeof compiled === 'function')
    return new Worker(new URL(String(compiled(entry))), { workerData, execArgv: [] })
  // From source: on Node 20 hooks do not reach a worker (tsx issue 354), so that they are registered there once more.
  const hooks = `import('${import.meta.resolve('tsx/esm/api')}').then(({ register }) => register())`
  return new Worker(`${hooks}.then(() => import('${entry}'))`, { eval: true, workerData })
}

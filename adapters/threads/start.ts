import { Worker } from 'node:worker_threads'

/** Where the loader that runs TypeScript files says that it is in force, and by which address; else tsx is. */
const LOADER = Symbol.for('narrowgate.loader')

/**
 * Starts the file `worker` beside the one whose `import.meta.url` is given.
 * @throws Error as `Worker` does
 */
export function startWorker(home: string, workerData: unknown): Worker {
  if (!home.endsWith('.ts')) return new Worker(new URL('./worker.js', home), { workerData })
  // From source: on Node 20 hooks do not reach a worker (tsx issue 354), so that they are registered there once more.
  const entry = new URL('./worker.ts', home).href
  return new Worker(`${hooks()}.then(() => import('${entry}'))`, { eval: true, workerData })
}

function hooks(): string {
  const loader: unknown = Reflect.get(globalThis, LOADER)
  return typeof loader === 'string'
    ? `import('${loader}')`
    : `import('${import.meta.resolve('tsx/esm/api')}').then(({ register }) => register())`
}

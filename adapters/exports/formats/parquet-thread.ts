import { Worker } from 'node:worker_threads'
import type { FeedItem } from '../../ledger/port.ts'

/** The bytes of a Parquet file, made in a thread of its own: a thousand rows take longer than calls should wait. */
export function parquetInThread(items: readonly FeedItem[], signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(items)
    const stop = () => void worker.terminate()
    signal.addEventListener('abort', stop)
    worker.once('message', (bytes: Uint8Array<ArrayBuffer>) =>
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    )
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      // Of no effect where the bytes came before.
      reject(new Error('the Parquet file was not finished'))
    })
    if (signal.aborted) stop()
  })
}

function startWorker(workerData: readonly FeedItem[]): Worker {
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

import { startWorker } from '../../threads/start.ts'
import type { FeedItem } from '../../ledger/port.ts'

/** The bytes of a Parquet file, made in a thread of its own: a thousand rows take longer than calls should wait. */
export function parquetInThread(items: readonly FeedItem[], signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(import.meta.url, items)
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

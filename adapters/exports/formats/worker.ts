/** The thread that makes one Parquet file: calls need not wait while it does. */
import { Readable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import type { FeedItem } from '../../ledger/port.ts'
import { writeParquet } from './parquet.ts'

const items = Readable.from(workerData as readonly FeedItem[]) as AsyncIterable<FeedItem>
const pieces: Buffer[] = []
await writeParquet(items, (piece) => void pieces.push(piece))
// A copy of its own memory, which can be handed over.
const bytes = new Uint8Array(Buffer.concat(pieces))
parentPort?.postMessage(bytes, [bytes.buffer])

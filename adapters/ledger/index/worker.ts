/** The thread that owns the index: it answers one message at a time, and never keeps the gateway's loop waiting. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Head } from '../port.ts'
import { createErasures } from './erasures.ts'
import { createFeedReader } from './feed.ts'
import type { IndexCall, IndexFiles, ThreadAnswer } from './protocol.ts'
import { createIndexReader } from './reading.ts'
import { openIndexFile } from './schema.ts'
import { createViews } from './views.ts'
import { createTail, type Progress } from './tail.ts'

const { folder, file } = workerData as IndexFiles
const db = openIndexFile(file)
const reader = createIndexReader(db)
const feed = createFeedReader(db)
const views = createViews(db)
const erasures = createErasures(db)
const tail = createTail(db, folder)

async function advance(durable: Head | undefined): Promise<Progress> {
  let progress = tail.step(durable)
  while (progress.more) {
    // Queries that wait get their turn between two steps.
    await new Promise((resolve) => setImmediate(resolve))
    progress = tail.step(durable)
  }
  return progress
}

async function answer(call: IndexCall): Promise<unknown> {
  switch (call.name) {
    case 'list':
      return reader.list(call.query)
    case 'get':
      return reader.get(call.id)
    case 'counts':
      return reader.counts(call.where)
    case 'events':
      return reader.events(call.query)
    case 'feed':
      return feed.read(call.query)
    case 'view':
      return views.view(call.query)
    case 'erasures':
      return erasures(call.hashes)
    case 'last':
      return views.last()
    case 'advance':
      return advance(call.durable)
    case 'close':
      db.close()
      return undefined
  }
}

parentPort?.on('message', ({ ticket, call }: { ticket: number; call: IndexCall }) => {
  const post = (result: ThreadAnswer['result']) => parentPort?.postMessage({ ticket, result })
  answer(call).then(
    (value) => post({ ok: true, value }),
    (error: unknown) => post({ ok: false, error }),
  )
})

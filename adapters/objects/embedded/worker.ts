/** The thread that owns the objects' file: it answers one message at a time, so that no sync holds up the gateway's loop. */
import { parentPort, workerData } from 'node:worker_threads'
import { blobPath } from '../folder.ts'
import { isBucketFault } from '../rules/fault.ts'
import { createBlobs } from './blobs.ts'
import type { ObjectAnswer, ObjectAnswers, ObjectCall, ObjectFiles } from './protocol.ts'
import { createReader } from './reading.ts'
import { openObjectsFile } from './schema.ts'
import { createWriter } from './writing.ts'

const { file, folder } = workerData as ObjectFiles
const db = openObjectsFile(file)
const blobs = createBlobs(db, (blob) => blobPath(folder, blob))
const reader = createReader(db)
const writer = createWriter(db, blobs)
let collecting = false
let closed = false

function answer(call: ObjectCall): ObjectAnswers[keyof ObjectAnswers] {
  switch (call.name) {
    case 'head':
      return reader.head(call.bucket, call.key)
    case 'get':
      return reader.get(call.bucket, call.key, call.options)
    case 'list':
      return reader.list(call.bucket, call.options)
    case 'put':
      collectSoon()
      return writer.put(call)
    case 'delete':
      collectSoon()
      return writer.delete(call.bucket, call.keys) as undefined
    case 'close':
      closed = true
      db.close()
      return undefined
  }
}

/** Between two calls, and some files at a time. */
function collectSoon(): void {
  if (collecting) return
  collecting = true
  setImmediate(() => {
    collecting = false
    if (closed) return
    try {
      if (blobs.collect()) collectSoon()
    } catch {
      // What could not be removed is still remembered, and looked at after the next write.
    }
  })
}

parentPort?.on('message', ({ ticket, call }: { ticket: number; call: ObjectCall }) => {
  const post = (result: ObjectAnswer['result']) => parentPort?.postMessage({ ticket, result })
  try {
    post({ ok: true, value: answer(call) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    post({ ok: false, message, code: isBucketFault(error) ? error.code : undefined })
  }
})
collectSoon()

/** The thread that reads the log for the shipper: parsing and hashing never keep the gateway's loop waiting. */
import { parentPort, workerData } from 'node:worker_threads'
import { beginning, isHeld, writersByAge, type Position } from '../index/follow.ts'
import type { ThreadAnswer } from '../index/protocol.ts'
import { readBatch, type Batch } from './batch.ts'
import type { ReaderCall, ReaderData } from './protocol.ts'

const { folder } = workerData as ReaderData

/** What was taken over and is no longer there is no reason to take it out of the database: it is evidence. */
function checked(position: Position): Position {
  if (position.fault !== null || isHeld(folder, position)) return position
  const { name: writer, segment, n, line: offset } = position
  const what = 'the log no longer holds what was taken over'
  return { ...position, fault: JSON.stringify({ writer, segment, record: n, offset, what }) }
}

function answer(call: ReaderCall): readonly Position[] | Batch | undefined {
  if (call.name === 'writers') {
    const known = new Map(call.known.map((position) => [position.name, position]))
    return writersByAge(folder).map((name) => checked(known.get(name) ?? beginning(name)))
  }
  for (const position of call.positions.filter(({ fault }) => fault === null)) {
    const n = position.name === call.durable?.writer ? call.durable.n : Infinity
    const batch = readBatch(folder, position, n)
    if (batch !== undefined) return batch
  }
  return undefined
}

parentPort?.on('message', ({ ticket, call }: { ticket: number; call: ReaderCall }) => {
  const post = (result: ThreadAnswer['result']) => parentPort?.postMessage({ ticket, result })
  try {
    post({ ok: true, value: answer(call) })
  } catch (error) {
    post({ ok: false, error })
  }
})

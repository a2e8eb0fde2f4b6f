/** The thread that reads the log for the shipper: parsing and hashing never keep the gateway's loop waiting. */
import { parentPort, workerData } from 'node:worker_threads'
import { beginning, isHeld, readBehind, writersByAge, type Position } from '../index/follow.ts'
import type { Head } from '../port.ts'
import type { ThreadAnswer } from '../index/protocol.ts'
import { announcedOf, isForeign } from '../segment/foreign.ts'
import { readBatch, type Batch } from './batch.ts'
import type { ReaderCall, ReaderData } from './protocol.ts'

const { folder } = workerData as ReaderData

/** Behind all segments: of such a log nothing is read. */
const PAST_ALL = Number.MAX_SAFE_INTEGER

/** What was taken over and is no longer there is no reason to take it out of the database: it is evidence. */
function checked(position: Position): Position {
  if (position.fault !== null || isHeld(folder, position)) return position
  if (isForeign(folder, position.name)) return placed(position)
  const { name: writer, segment, n, line: offset } = position
  const what = 'the log no longer holds what was taken over'
  return { ...position, fault: JSON.stringify({ writer, segment, record: n, offset, what }) }
}

/** Another gateway may hold the same log of a recorder, in other segments, and more of it. */
function placed(position: Position): Position {
  const here = beginning(position.name)
  readBehind(folder, here, { n: position.n, take: () => true })
  if (here.n === position.n && here.hash === position.hash) return here
  return { ...position, segment: PAST_ALL }
}

function answer(call: ReaderCall): readonly Position[] | Batch | undefined {
  const known = new Map(call.positions.map((position) => [position.name, position]))
  // Listed each time: a recorder's log may be new.
  const positions = writersByAge(folder).map((name) => known.get(name) ?? beginning(name))
  if (call.name === 'writers') return positions.map(checked)
  for (const position of positions.filter(({ fault }) => fault === null)) {
    const batch = readBatch(folder, position, durableOf(position.name, call.durable))
    if (batch !== undefined) return batch
  }
  return undefined
}

/** Number of the last record of a writer that counts. */
function durableOf(name: string, durable: Head | undefined): number {
  if (isForeign(folder, name)) return announcedOf(folder, name)
  return name === durable?.writer ? durable.n : Infinity
}

parentPort?.on('message', ({ ticket, call }: { ticket: number; call: ReaderCall }) => {
  const post = (result: ThreadAnswer['result']) => parentPort?.postMessage({ ticket, result })
  try {
    post({ ok: true, value: answer(call) })
  } catch (error) {
    post({ ok: false, error })
  }
})

/**
 * Appends to the log of a folder, and notes the number of each record in a file once it is durable.
 * Prints a line when the first one is. Arguments: the folder, the file.
 */
import { openSync, writeSync } from 'node:fs'
import { openSegmentLog } from '../../../adapters/ledger/segment/log.ts'

const [folder = '', notes = ''] = process.argv.slice(2)
const fd = openSync(notes, 'w')
const log = await openSegmentLog({ folder, mode: 'strict', clock: Date, rotateBytes: 20_000 })
const caller = async (): Promise<never> => {
  for (;;) {
    const intent = await log.intent({ id: 'x', pad: 'p'.repeat(80) })
    writeSync(fd, `${intent.n}\n`)
    const outcome = await log.outcome(intent, { outcome: 'allowed' })
    writeSync(fd, `${outcome.n}\n`)
  }
}
const callers = Array.from({ length: 16 }, caller)
await log.event({ event: 'started' })
console.log('appending')
await Promise.all(callers)

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isForeign } from '../segment/foreign.ts'
import { segmentNumbers, segmentPath, writerNames } from '../segment/layout.ts'
import type { Position } from './follow.ts'

const LIMIT_MS = 5000
const POLL_MS = 20

/**
 * Waits until the gateway that runs has indexed what the log's files held at the call. `positionOf` gives how far a
 * writer is indexed. Rejects where it is not after five seconds.
 */
export async function waitUntilIndexed(
  folder: string,
  positionOf: (writer: string) => Promise<Pick<Position, 'segment' | 'next' | 'fault'> | undefined>,
): Promise<void> {
  const wanted = writerNames(folder).flatMap((name) => {
    const segment = segmentNumbers(join(folder, name)).at(-1)
    // What another recorder sent is indexed with the event of our own that tells of it.
    return segment === undefined || isForeign(folder, name)
      ? []
      : { name, segment, size: statSync(segmentPath(folder, name, segment)).size }
  })
  const isReached = async ({ name, segment, size }: (typeof wanted)[number]) => {
    const at = await positionOf(name)
    if (at === undefined) return false
    return at.fault !== null || at.segment > segment || (at.segment === segment && at.next >= size)
  }
  const end = performance.now() + LIMIT_MS
  while (!(await Promise.all(wanted.map(isReached))).every(Boolean)) {
    if (performance.now() > end) {
      throw new Error(
        `ledger ${folder}: the gateway did not index the log within \`${LIMIT_MS}\` ms; ` +
          'look at its log, or stop it and ask again',
      )
    }
    await sleep(POLL_MS)
  }
}

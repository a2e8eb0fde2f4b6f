import { closeSync, fsyncSync, ftruncateSync, openSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readCarried } from './carried.ts'
import { ZERO_HASH } from './chain.ts'
import { checkSegment, type CheckedSegment, type Damage } from './check.ts'
import type { ChainEnd } from './encoder.ts'
import { segmentNumbers, segmentPath } from './layout.ts'

/** Where a writer goes on after a start. */
export interface Recovered {
  readonly writer: string
  /** The last segment, with the bytes it holds; undefined where the next append begins the first one. */
  readonly segment: { readonly number: number; readonly size: number } | undefined
  readonly end: ChainEnd
  /** Numbers of the intents that have no outcome. */
  readonly open: ReadonlySet<number>
  /** What was cut from the last segment. */
  readonly torn: { readonly file: string; readonly bytes: number } | undefined
}

/** Says whether `recoverWriter` found damage. */
export function isDamage(result: object): result is Damage {
  return 'what' in result
}

/**
 * Finds the end of a writer's chain. A last line that is not whole is cut off, as a write that the crash broke;
 * anything else that does not fit is damage, and no byte of the file is touched.
 */
export function recoverWriter(folder: string, writer: string): Recovered | Damage {
  const numbers = [...segmentNumbers(join(folder, writer))]
  const last = numbers.at(-1)
  if (last === undefined) return fresh(writer)
  // What is known of the sealed segments' open intents makes it needless to read them again.
  const carried = readCarried(join(folder, writer), last)
  const open = new Set(carried)
  let end: ChainEnd | undefined = carried === undefined ? { n: 0, hash: ZERO_HASH } : undefined
  let segment: CheckedSegment | undefined
  for (const number of carried === undefined ? numbers : [last]) {
    const path = segmentPath(folder, writer, number)
    const checked = checkSegment(path, { writer, end, open })
    if (isDamage(checked)) return checked
    if (number !== last && (checked.torn > 0 || checked.size === 0))
      return tornInside(path, checked)
    // A crash between the file's creation and its header leaves nothing that was ever promised.
    if (checked.size === 0) return dropEmpty(folder, writer, { number, bytes: checked.torn })
    segment = checked
    end = checked.end
  }
  if (segment === undefined) return fresh(writer)
  const path = segmentPath(folder, writer, last)
  if (segment.torn > 0) cut(path, segment.size)
  return {
    writer,
    segment: { number: last, size: segment.size },
    end: segment.end,
    open,
    torn: segment.torn > 0 ? { file: path, bytes: segment.torn } : undefined,
  }
}

function fresh(writer: string): Recovered {
  return {
    writer,
    segment: undefined,
    end: { n: 0, hash: ZERO_HASH },
    open: new Set(),
    torn: undefined,
  }
}

function tornInside(path: string, checked: CheckedSegment): Damage {
  const what = 'the last line is not whole, though a later segment exists'
  return { file: path, record: checked.end.n + 1, offset: checked.size, what }
}

function dropEmpty(
  folder: string,
  writer: string,
  empty: { readonly number: number; readonly bytes: number },
): Recovered | Damage {
  const path = segmentPath(folder, writer, empty.number)
  unlinkSync(path)
  const before = recoverWriter(folder, writer)
  return isDamage(before)
    ? before
    : { ...before, torn: before.torn ?? { file: path, bytes: empty.bytes } }
}

function cut(path: string, size: number): void {
  const fd = openSync(path, 'r+')
  try {
    ftruncateSync(fd, size)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

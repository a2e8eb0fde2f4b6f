import type { ObjectRange } from '../bucket.ts'
import { bucketFault } from './fault.ts'

/** Where the bytes lie that are asked for. */
export interface ByteRange {
  readonly offset: number
  /** Never 0. */
  readonly length: number
}

/**
 * The bytes that a range means of an object of this size; what reaches past its end is cut off there.
 * @throws BucketError InvalidRange where no byte lies in it: always, where the object is empty
 */
export function rangeOf(range: ObjectRange, size: number): ByteRange {
  checkRange(range)
  const { offset, length } = spanOf(range, size)
  if (length <= 0)
    throw bucketFault('InvalidRange', `range: no byte of an object of ${size} bytes lies in it`)
  return { offset, length }
}

function spanOf(range: ObjectRange, size: number): ByteRange {
  if ('suffix' in range) {
    const length = Math.min(range.suffix, size)
    return { offset: size - length, length }
  }
  const { offset = 0, length = Infinity } = range
  return { offset, length: Math.min(length, size - offset) }
}

/** Refuses what is no range at all. One without a byte is none of any object, but that shows only where there is one. */
export function checkRange(range: ObjectRange | undefined): void {
  if (range === undefined) return
  const { offset, length, suffix } = range as Partial<
    Record<'offset' | 'length' | 'suffix', number>
  >
  const given = { offset, length, suffix }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue
    throw bucketFault('InvalidArgument', `range.${name}: got \`${value}\`; give a whole number`)
  }
  const asked = Object.values(given).filter((value) => value !== undefined).length
  if (asked === 0 || (suffix !== undefined && asked > 1))
    throw bucketFault('InvalidArgument', 'range: give offset, length or both, or suffix alone')
}

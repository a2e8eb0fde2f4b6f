import { Buffer } from 'node:buffer'
import { bucketFault } from './fault.ts'

/** Where a listing goes on, and how many bytes of bodies were given out before. */
export interface Resumed {
  readonly at: Buffer
  readonly given: number
}

/** A cursor is bound to nothing: the listing that it goes on with is asked for anew, with all its bounds. */
export function writeCursor(at: Buffer, given: number): string {
  return `${given.toString(36)}.${at.toString('base64url')}`
}

/** @throws BucketError InvalidArgument */
export function readCursor(cursor: string): Resumed {
  const [, given, at] = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{0,4096})$/.exec(cursor) ?? []
  if (given === undefined || at === undefined)
    throw bucketFault('InvalidArgument', 'cursor: it is none of a listing; leave it out to begin')
  return { at: Buffer.from(at, 'base64url'), given: Number.parseInt(given, 36) }
}

import { createHash, hash, type Hash } from 'node:crypto'
import type { BodyStore } from '../../adapters/objects/port.ts'
import type { Keep } from '../../catalog/index.ts'
import type { BodyNote } from '../outcome.ts'
import { createKeptMask } from './kept-mask.ts'
import type { Redactor } from './redactor.ts'

/** Follows one body past: its length, its hash and, where it is to be kept, its bytes. */
export interface BodyRecorder {
  /** False asks the caller to wait for `drained`. */
  write(chunk: Uint8Array): boolean
  drained(): Promise<void>
  /** `truncated` says that the body did not come to its end. */
  finish(truncated: boolean): Promise<BodyNote>
}

const EMPTY = new Uint8Array(0)

/** Counts and hashes; keeps nothing. */
function hashingRecorder(mediaType: string | undefined): BodyRecorder {
  let bytes = 0
  // Most bodies come in one piece, and hashing that at once takes half the time of a hash that is fed.
  let only: Uint8Array | undefined
  let fed: Hash | undefined
  return {
    write(chunk) {
      bytes += chunk.length
      if (fed !== undefined) fed.update(chunk)
      else if (only === undefined) only = chunk
      else fed = createHash('sha256').update(only).update(chunk)
      return true
    },
    drained: () => Promise.resolve(),
    finish(truncated) {
      const sha256 = fed?.digest('hex') ?? hash('sha256', only ?? EMPTY, 'hex')
      return Promise.resolve({ bytes, sha256, mediaType, truncated })
    },
  }
}

/** Where kept bodies go, and what is masked in all of them. */
export interface Keeping {
  readonly bodies: BodyStore
  /** Of every key of the configuration; undefined where they were masked on the way here. */
  readonly redactor: Redactor | undefined
}

/**
 * Keeps the body in the store under its hash, keys and tokens masked. A store that cannot keep it costs the bytes,
 * never the receipt.
 */
function keepingRecorder(
  { bodies, redactor }: Keeping,
  mediaType: string | undefined,
): BodyRecorder {
  const writer = bodies.writer()
  const mask = createKeptMask(redactor)
  return {
    write: (chunk) => writer.write(mask.push(chunk)),
    drained: () => writer.drained(),
    async finish(truncated) {
      writer.write(mask.end())
      const { bytes, sha256, kept } = await writer.finish()
      return { bytes, sha256, mediaType, truncated, ...(kept ? { kept: sha256 } : {}) }
    },
  }
}

/** What becomes of bodies that pass as they are: requests, answers that are not cut down, both ways of a socket. */
export function keptBodies(keep: Keep): 'kept' | 'hashed' {
  return keep === 'upstream' || keep === 'delivered' ? 'kept' : 'hashed'
}

/** The recorder for a body of which `keep` says whether its bytes stay. */
export function recorderFor(
  keep: 'kept' | 'hashed',
  keeping: Keeping,
  mediaType: string | undefined,
): BodyRecorder {
  return keep === 'kept' ? keepingRecorder(keeping, mediaType) : hashingRecorder(mediaType)
}

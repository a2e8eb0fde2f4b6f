import { createHash } from 'node:crypto'
import type { BodyStore } from '../../adapters/objects/port.ts'
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

/** Counts and hashes; keeps nothing. */
function hashingRecorder(mediaType: string | undefined): BodyRecorder {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    write(chunk) {
      bytes += chunk.length
      hash.update(chunk)
      return true
    },
    drained: () => Promise.resolve(),
    finish: (truncated) =>
      Promise.resolve({ bytes, sha256: hash.digest('hex'), mediaType, truncated }),
  }
}

/** Where kept bodies go, and what is masked in all of them. */
export interface Keeping {
  readonly bodies: BodyStore
  /** Of every key of the configuration. */
  readonly redactor: Redactor
}

/**
 * Keeps the body in the store under its hash, keys and tokens masked. A store that cannot keep it costs the bytes,
 * never the receipt.
 */
function keepingRecorder({ bodies, redactor }: Keeping, mediaType: string | undefined): BodyRecorder {
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

/** The recorder for a body of which `keep` says whether its bytes stay. */
export function recorderFor(
  keep: 'kept' | 'hashed',
  keeping: Keeping,
  mediaType: string | undefined,
): BodyRecorder {
  return keep === 'kept' ? keepingRecorder(keeping, mediaType) : hashingRecorder(mediaType)
}

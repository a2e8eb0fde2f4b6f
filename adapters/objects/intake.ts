import { Buffer } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ChecksumsOf, ObjectBytes } from './bucket.ts'
import { bucketFault, unavailable } from './rules/fault.ts'
import { INLINE_BYTES, MAX_OBJECT_BYTES } from './rules/limits.ts'

/** The bytes of an object that is to be stored, all of them there and weighed. */
export interface Taken {
  readonly size: number
  /** Lower-case hex: MD5, SHA-256, and the one that was announced. */
  readonly checksums: Readonly<Record<'md5' | 'sha256', string>> & ChecksumsOf<string>
  readonly place: { readonly bytes: Buffer } | { readonly file: string }
  /** Takes the file away where nobody has moved it. */
  discard(): Promise<void>
}

/** Takes in the bytes of objects: small ones in memory, others into a synced file. */
export interface Intake {
  /**
   * Rejects with a BucketError BadDigest where the bytes are not those that were announced, EntityTooLarge,
   * InternalError where the disk fails, and with the stream's own error.
   */
  take(value: ObjectBytes, announced?: ChecksumsOf<string>): Promise<Taken>
}

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const

export function createIntake(options: {
  /** A name for a file that does not exist. */
  readonly temporary: () => string
  /** @default 5 GiB less 5 MiB, as R2 has it */
  readonly maxBytes?: number
}): Intake {
  const { temporary, maxBytes = MAX_OBJECT_BYTES } = options
  return {
    async take(value, announced = {}) {
      const scales = new Scales(announced)
      const spool = new Spool(temporary)
      try {
        for await (const piece of piecesOf(value)) {
          scales.add(piece)
          if (scales.size > maxBytes) throw tooLarge(maxBytes)
          await spool.add(piece)
        }
        const checksums = scales.read()
        const place = await spool.end()
        return { size: scales.size, checksums, place, discard: () => spool.discard() }
      } catch (error) {
        await spool.discard()
        throw error
      }
    },
  }
}

function piecesOf(value: ObjectBytes): AsyncIterable<Buffer> | readonly Buffer[] {
  if (typeof value === 'string') return [Buffer.from(value)]
  if (value instanceof Readable) return buffersOf(value)
  return [Buffer.from(value.buffer, value.byteOffset, value.byteLength)]
}

async function* buffersOf(stream: Readable): AsyncIterable<Buffer> {
  for await (const piece of stream as AsyncIterable<Buffer | string>)
    yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

function tooLarge(maxBytes: number) {
  return bucketFault(
    'EntityTooLarge',
    `object: it has more than ${maxBytes} bytes; store it in parts`,
  )
}

/** Counts and digests. */
class Scales {
  readonly #announced: ChecksumsOf<string>
  readonly #hashes: ReadonlyMap<(typeof ALGORITHMS)[number], Hash>
  size = 0

  constructor(announced: ChecksumsOf<string>) {
    this.#announced = announced
    const wanted = ALGORITHMS.filter(
      (name) => name === 'md5' || name === 'sha256' || announced[name] !== undefined,
    )
    this.#hashes = new Map(wanted.map((name) => [name, createHash(name)]))
  }

  add(piece: Buffer): void {
    this.size += piece.length
    for (const hash of this.#hashes.values()) hash.update(piece)
  }

  read(): Taken['checksums'] {
    const found = [...this.#hashes].map(([name, hash]) => [name, hash.digest('hex')] as const)
    for (const [name, digest] of found) {
      if (this.#announced[name] === undefined || this.#announced[name] === digest) continue
      throw bucketFault(
        'BadDigest',
        `checksums.${name}: the bytes have \`${digest}\`; send those that were announced`,
      )
    }
    return Object.fromEntries(found) as unknown as Taken['checksums']
  }
}

/** Holds the pieces, in a file as soon as they are many. */
class Spool {
  readonly #temporary: () => string
  #pieces: Buffer[] = []
  #held = 0
  #file: string | undefined
  #handle: FileHandle | undefined

  constructor(temporary: () => string) {
    this.#temporary = temporary
  }

  async add(piece: Buffer): Promise<void> {
    if (this.#handle === undefined) {
      this.#pieces.push(piece)
      this.#held += piece.length
      if (this.#held > INLINE_BYTES) await this.#spill()
      return
    }
    await this.#handle.appendFile(piece).catch(unavailable(DISK))
  }

  async #spill(): Promise<void> {
    this.#file = this.#temporary()
    this.#handle = await open(this.#file, 'wx', 0o600).catch(unavailable(DISK))
    for (const piece of this.#pieces) await this.#handle.appendFile(piece).catch(unavailable(DISK))
    this.#pieces = []
  }

  async end(): Promise<Taken['place']> {
    if (this.#file === undefined || this.#handle === undefined)
      return { bytes: Buffer.concat(this.#pieces) }
    // What a row will point to must not be lost by a power cut that the row outlives.
    await this.#handle.sync().catch(unavailable(DISK))
    await this.#close()
    return { file: this.#file }
  }

  async discard(): Promise<void> {
    await this.#close()
    if (this.#file !== undefined) await rm(this.#file, { force: true }).catch(() => undefined)
  }

  async #close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => undefined)
  }
}

const DISK = 'the disk does not take the object; free space on it, then try again'

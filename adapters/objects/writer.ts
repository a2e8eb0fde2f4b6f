import { createHash, hash, type Hash } from 'node:crypto'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { BodyWriter, KeptBody } from './port.ts'
import { wholeOf, writeWhole, type BodyFolder } from './folder.ts'
import type { BodyShelf } from './shelf.ts'

/** Why a body is not kept. */
export type NotKept = 'disk_full' | 'too_large' | 'failed' | 'closed'

export interface WriterParts {
  readonly folder: BodyFolder
  readonly shelf: BodyShelf
  /** Bodies that are being stored, so that two equal ones at one time are stored once. */
  readonly storing: Map<string, Promise<NotKept | undefined>>
  readonly smallBytes: number
  readonly limitBytes: number
  readonly isClosed: () => boolean
}

/** Collects a small body in memory and spills a larger one into a file, hashing all the while. */
export class DiskBodyWriter implements BodyWriter {
  readonly #parts: WriterParts
  #pieces: Buffer[] = []
  #bytes = 0
  #hash: Hash | undefined
  #file: WriteStream | undefined
  #fault: NotKept | undefined
  #finished: Promise<KeptBody> | undefined

  constructor(parts: WriterParts) {
    this.#parts = parts
    if (parts.isClosed()) this.#fault = 'closed'
  }

  write(chunk: Uint8Array): boolean {
    if (chunk.length === 0) return true
    this.#bytes += chunk.length
    if (this.#bytes > this.#parts.limitBytes) this.#give('too_large')
    // Copied, since the sender may use its buffer again while the disk is still busy with it.
    const piece = Buffer.from(chunk)
    if (this.#hash === undefined && this.#bytes <= this.#parts.smallBytes) {
      this.#pieces.push(piece)
      return true
    }
    this.#spill()
    this.#hash?.update(piece)
    if (this.#fault !== undefined || this.#file === undefined) return true
    return this.#file.write(piece)
  }

  async drained(): Promise<void> {
    const file = this.#file
    if (file === undefined || !file.writableNeedDrain || file.destroyed) return
    // An error ends the wait as well: the body is then not kept, and nobody waits for a dead disk.
    const waited = new AbortController()
    const { signal } = waited
    await Promise.race([once(file, 'drain', { signal }), once(file, 'close', { signal })]).catch(
      () => undefined,
    )
    waited.abort()
  }

  finish(): Promise<KeptBody> {
    return (this.#finished ??= this.#finish())
  }

  abort(): void {
    if (this.#finished !== undefined) return
    this.#pieces = []
    this.#discard()
  }

  /** From the first byte beyond the small size on, the body goes to a file. */
  #spill(): void {
    if (this.#hash !== undefined) return
    this.#hash = createHash('sha256')
    for (const piece of this.#pieces) this.#hash.update(piece)
    if (this.#fault === undefined) {
      this.#file = createWriteStream(this.#parts.folder.temporary(), {
        flags: 'wx',
        mode: 0o600,
        flush: true,
      })
      this.#file.on('error', (error) => this.#give(reasonOf(error)))
      for (const piece of this.#pieces) this.#file.write(piece)
    }
    this.#pieces = []
  }

  #finish(): Promise<KeptBody> {
    const sha256 = this.#hash?.digest('hex') ?? hash('sha256', wholeOf(this.#pieces))
    const bytes = this.#bytes
    // Most bodies are known already: nothing is waited for then.
    if (this.#fault === undefined && this.#parts.shelf.touch(sha256)) {
      this.#pieces = []
      this.#discard()
      return Promise.resolve({ sha256, bytes, kept: true })
    }
    return this.#keep(sha256).then((why) => {
      this.#pieces = []
      return why === undefined ? { sha256, bytes, kept: true } : { sha256, bytes, kept: false, why }
    })
  }

  async #keep(sha256: string): Promise<NotKept | undefined> {
    const { storing } = this.#parts
    const other = storing.get(sha256)
    if (this.#fault === undefined && other !== undefined && (await other) === undefined) {
      this.#discard()
      return undefined
    }
    const stored = this.#store(sha256)
    storing.set(sha256, stored)
    try {
      return await stored
    } finally {
      if (storing.get(sha256) === stored) storing.delete(sha256)
    }
  }

  async #store(sha256: string): Promise<NotKept | undefined> {
    const { folder, shelf } = this.#parts
    if (this.#fault !== undefined) return this.#fault
    const temporary = this.#file === undefined ? folder.temporary() : String(this.#file.path)
    try {
      if (this.#file === undefined) await writeWhole(temporary, this.#pieces)
      else await ended(this.#file)
      await shelf.erased(sha256)
      await folder.adopt(temporary, sha256)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined)
      return this.#fault ?? reasonOf(error)
    }
    shelf.add({ sha256, bytes: this.#bytes })
    return undefined
  }

  #give(why: NotKept): void {
    if (this.#fault !== undefined) return
    this.#fault = why
    this.#pieces = this.#hash === undefined ? this.#pieces : []
    this.#discard()
  }

  #discard(): void {
    const file = this.#file
    if (file === undefined) return
    file.once('close', () => void rm(file.path, { force: true }).catch(() => undefined))
    if (file.closed) void rm(file.path, { force: true }).catch(() => undefined)
    else file.destroy()
  }
}

async function ended(file: WriteStream): Promise<void> {
  if (file.destroyed) throw file.errored ?? new Error('the file was closed before its body ended')
  await new Promise<void>((resolve, reject) => {
    file.once('error', reject)
    file.once('close', () => reject(new Error('the file was closed before its body ended')))
    file.end(() => resolve())
  })
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function reasonOf(error: unknown): NotKept {
  return FULL.has((error as NodeJS.ErrnoException).code ?? '') ? 'disk_full' : 'failed'
}

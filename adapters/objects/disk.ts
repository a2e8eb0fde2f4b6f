import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { bodiesFrom, isHash, listBodies, openBodyFolder, statBody } from './folder.ts'
import type { BodyStore, StoredBody } from './port.ts'
import type { ByteRange } from './rules/range.ts'
import { createBodyShelf } from './shelf.ts'
import { DiskBodyWriter, type WriterParts } from './writer.ts'

const DEFAULT_LIMIT_BYTES = 10 * 1024 ** 3
const DEFAULT_SMALL_BYTES = 64 * 1024

export interface BodyStoreOptions {
  readonly folder: string
  /** Beyond so many bytes the oldest bodies are erased. @default 10 GiB */
  readonly limitBytes?: number
  /** A body of at most this size is held in memory and written in one go. @default 64 KiB */
  readonly smallBytes?: number
}

/** Opens the store of kept bodies: a folder of files named by the SHA-256 of what they hold. */
export async function openBodyStore(options: BodyStoreOptions): Promise<BodyStore> {
  const {
    folder: path,
    limitBytes = DEFAULT_LIMIT_BYTES,
    smallBytes = DEFAULT_SMALL_BYTES,
  } = options
  const listeners: ((sha256: string, bytes: number) => void)[] = []
  let closed = false
  const folder = await openBodyFolder(path)
  const onErased = ({ sha256, bytes }: Pick<StoredBody, 'sha256' | 'bytes'>) => {
    for (const listener of listeners) listener(sha256, bytes)
  }
  const shelf = createBodyShelf(folder, {
    limit: limitBytes,
    bodies: await listBodies(path),
    onErased,
  })
  const storing: WriterParts['storing'] = new Map()
  const parts: WriterParts = {
    folder,
    shelf,
    storing,
    smallBytes,
    limitBytes,
    isClosed: () => closed,
  }

  return {
    writer: () => new DiskBodyWriter(parts),
    async read(sha256, range) {
      if (!isHash(sha256)) return undefined
      await shelf.erased(sha256)
      const body = await readBody(folder.pathOf(sha256), { sha256, smallBytes, range })
      if (body === undefined) shelf.forget(sha256)
      return body
    },
    async find(sha256) {
      if (!isHash(sha256)) return undefined
      await shelf.erased(sha256)
      return statBody(path, sha256)
    },
    list: (from, most) => bodiesFrom(path, from, most),
    onErased(listener) {
      listeners.push(listener)
      // The limit may be a smaller one than at the last start: what that costs is told as well.
      shelf.shrink()
    },
    eraseOlder: (before, record) => shelf.eraseOlder(before, record),
    stats: () => shelf.stats(),
    async close() {
      closed = true
      await Promise.all(storing.values())
    },
  }
}

/**
 * A small body is written without a sync, so a power cut may leave it wrong: its hash is checked before it is shown.
 * A large one was synced before it got its name.
 */
async function readBody(
  path: string,
  body: {
    readonly sha256: string
    readonly smallBytes: number
    readonly range: ByteRange | undefined
  },
): Promise<Readable | undefined> {
  try {
    const handle = await open(path, 'r')
    const { size } = await handle.stat()
    const { offset, length } = body.range ?? { offset: 0, length: size }
    if (size > body.smallBytes)
      return handle.createReadStream({ start: offset, end: offset + length - 1 })
    const bytes = await handle.readFile()
    await handle.close()
    if (hash('sha256', bytes) !== body.sha256) return undefined
    return Readable.from([bytes.subarray(offset, offset + length)])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

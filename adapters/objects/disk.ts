import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { isHash, listBodies, openBodyFolder, type StoredBody } from './folder.ts'
import type { BodyStore } from './port.ts'
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
    async read(sha256) {
      if (!isHash(sha256)) return undefined
      await shelf.erased(sha256)
      const body = await readBody(folder.pathOf(sha256), { sha256, smallBytes })
      if (body === undefined) shelf.forget(sha256)
      return body
    },
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
  body: { readonly sha256: string; readonly smallBytes: number },
): Promise<Readable | undefined> {
  try {
    const handle = await open(path, 'r')
    const { size } = await handle.stat()
    if (size > body.smallBytes) return handle.createReadStream()
    const bytes = await handle.readFile()
    await handle.close()
    return hash('sha256', bytes) === body.sha256 ? Readable.from([bytes]) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

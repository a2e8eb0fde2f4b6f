import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredBody } from './port.ts'

const HASH = /^[0-9a-f]{64}$/
const SHELVES = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'))

/** Where bodies lie: 256 shelves by the first two digits of the hash, and a place for what is being written. */
export interface BodyFolder {
  pathOf(sha256: string): string
  /** A name for a body whose hash is not known yet. */
  temporary(): string
  /** Gives a written temporary file its lasting name. */
  adopt(temporary: string, sha256: string): Promise<void>
}

export function isHash(text: string): boolean {
  return HASH.test(text)
}

/** Where in the folder the bytes of this SHA-256 lie. */
export function blobPath(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256.slice(2))
}

/** Makes the folders, and drops what an earlier process did not finish. */
export async function openBodyFolder(folder: string): Promise<BodyFolder> {
  const workshop = join(folder, 'new')
  await rm(workshop, { recursive: true, force: true })
  await mkdir(workshop, { recursive: true, mode: 0o700 })
  await Promise.all(
    SHELVES.map((shelf) => mkdir(join(folder, shelf), { recursive: true, mode: 0o700 })),
  )
  const pathOf = (sha256: string) => blobPath(folder, sha256)
  let count = 0
  return {
    pathOf,
    temporary: () => join(workshop, `${process.pid}-${(count += 1)}`),
    adopt: (temporary, sha256) => rename(temporary, pathOf(sha256)),
  }
}

/** All bodies in the folder, the oldest first. */
export async function listBodies(folder: string): Promise<readonly StoredBody[]> {
  const found: StoredBody[] = []
  // One shelf after the other: a hundred thousand files at once would need as many promises.
  for (const shelf of SHELVES) {
    const names = (await readdir(join(folder, shelf))).filter((name) => isHash(shelf + name))
    const stats = await Promise.all(names.map((name) => stat(join(folder, shelf, name))))
    stats.forEach(({ size, mtimeMs }, at) =>
      found.push({ sha256: shelf + names[at], bytes: size, used: mtimeMs }),
    )
  }
  return found.sort((a, b) => a.used - b.used)
}

/** The body of this hash, or undefined where it does not lie in the folder. */
export async function statBody(folder: string, sha256: string): Promise<StoredBody | undefined> {
  try {
    const { size, mtimeMs } = await stat(blobPath(folder, sha256))
    return { sha256, bytes: size, used: mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Bodies in the order of their hashes, so many at most, from the first on that is not before `from`. */
export async function bodiesFrom(
  folder: string,
  from: string,
  most: number,
): Promise<readonly StoredBody[]> {
  const found: StoredBody[] = []
  for (const shelf of SHELVES) {
    if (shelf < from.slice(0, 2)) continue
    const names = await readdir(join(folder, shelf))
    const hashes = names.map((name) => shelf + name).filter((each) => isHash(each) && each >= from)
    for (const sha256 of hashes.sort()) {
      if (found.length === most) return found
      const body = await statBody(folder, sha256)
      if (body !== undefined) found.push(body)
    }
  }
  return found
}

/** The pieces of a small body as one; a single piece, the usual case, is not copied. */
export function wholeOf(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
}

/** Writes a small body in one go. */
export async function writeWhole(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(wholeOf(pieces))
  } finally {
    await handle.close()
  }
}

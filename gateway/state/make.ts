import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Makes a folder that only its owner may enter; true where it was not there before. */
export async function makeFolder(path: string): Promise<boolean> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  return first !== undefined
}

/**
 * Makes a key file of 32 random bytes as base64url; true where this call made it. It appears under its
 * name whole and synced or not at all, so that of two starts at once one makes it and the other reads it.
 */
export async function makeKeyFile(path: string): Promise<boolean> {
  if (await exists(path)) return false
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await file.sync()
    // Unlike a rename, a link never replaces what is there.
    await link(draft, path)
    await syncFolder(dirname(path))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await file.close()
    await unlink(draft)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilesOptions } from '../port.ts'
import { ALL_TAKEN, type Sink } from '../sink.ts'
import { fileBounds, fileBytes, fileName } from './file.ts'

const DEADLINE_MS = 60_000

/** Puts finished files into a folder; a file that is seen there is whole, and durable. */
export function createFiles(options: FilesOptions, version: string): Sink {
  const { folder } = options
  return {
    bounds: fileBounds(options),
    deadlineMs: DEADLINE_MS,
    async deliver(batch, signal) {
      const bytes = await fileBytes(batch, { ...options, version }, signal)
      signal.throwIfAborted()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = fileName(batch, options)
      // With a dot in front readers of the folder pass it over.
      const temporary = join(folder, `.${name}.part`)
      try {
        await writeDurably(temporary, bytes)
        await rename(temporary, join(folder, name))
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined)
        throw error
      }
      await syncFolder(folder)
      return ALL_TAKEN
    },
    close: () => undefined,
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

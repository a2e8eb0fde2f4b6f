import { open, readFile } from 'node:fs/promises'
import { inGroups, type Contender } from './contender.ts'

/** A bare file of lines: a write and an fdatasync for each group. No chain, no recovery, nothing to ask. */
export async function ndjson(file: string): Promise<Contender> {
  const handle = await open(file, 'a')
  return {
    name: 'bare NDJSON, fdatasync',
    append: inGroups(async (texts) => {
      await handle.appendFile(`${texts.join('\n')}\n`)
      await handle.datasync()
    }),
    async kept() {
      const lines = (await readFile(file, 'utf8')).split('\n')
      return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
    },
    close: () => handle.close(),
  }
}

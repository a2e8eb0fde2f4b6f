import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { openState } from '../../../gateway/state/open.ts'
import { FROM_SOURCE } from '../../helpers/from-source.ts'
import { fileReader, freshFolder, stateOf } from './_state.ts'

t.test(
  'of many starts at once in one process one makes each key, and all read the same',
  async (t) => {
    const folder = freshFolder()
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => openState({ folder, reader: fileReader })),
    )
    const states = opened.map(stateOf)
    t.equal(new Set(states.map((state) => state.buildKeys[0].reveal())).size, 1)
    const made = states.flatMap((state) => state.made)
    t.equal(new Set(made).size, made.length, 'nothing was made twice')
  },
)

t.test('the same for two processes', async (t) => {
  const folder = freshFolder()
  const keys = await Promise.all([openInProcess(folder), openInProcess(folder)])
  t.match(keys[0], /^[\w-]{43}$/)
  t.equal(keys[0], keys[1])
})

async function openInProcess(folder: string): Promise<string> {
  const helper = fileURLToPath(new URL('./_open.ts', import.meta.url))
  const child = spawn(process.execPath, [FROM_SOURCE, helper, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return output.trim()
}

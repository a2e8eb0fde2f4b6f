import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openState } from '../../../gateway/state/open.ts'
import { fileReader, freshFolder, stateOf } from './_state.ts'

for (const [name, mode, repair] of [
  ['build.key', 0o640, 'chmod 600'],
  ['owner.key', 0o604, 'chmod 600'],
  ['ledger', 0o750, 'chmod 700'],
] as const) {
  t.test(`${name} that is open to others is refused with its repair`, async (t) => {
    const folder = freshFolder()
    stateOf(await openState({ folder, reader: fileReader }))
    const path = join(folder, name)
    chmodSync(path, mode)
    t.strictSame(await openState({ folder, reader: fileReader }), {
      ok: false,
      problems: [
        {
          path,
          got: `mode \`${mode.toString(8)}\`, open to others`,
          repair: `run \`${repair} ${path}\``,
        },
      ],
    })
  })
}

t.test('in a folder that is open to others no key is made', async (t) => {
  const folder = freshFolder()
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const opened = await openState({ folder, reader: fileReader })
  t.match(opened, { ok: false, problems: [{ path: folder, repair: /chmod 700/ }] })
  t.notOk(existsSync(join(folder, 'build.key')))
})

t.test('a file in place of the folder is told', async (t) => {
  const folder = freshFolder()
  writeFileSync(folder, '')
  t.match(await openState({ folder, reader: fileReader }), {
    ok: false,
    problems: [{ path: folder }],
  })
})

t.test('a link in place of a key file is refused', async (t) => {
  const folder = freshFolder()
  stateOf(await openState({ folder, reader: fileReader }))
  rmSync(join(folder, 'build.key'))
  symlinkSync(join(folder, 'owner.key'), join(folder, 'build.key'))
  const opened = await openState({ folder, reader: fileReader })
  t.match(opened, { ok: false, problems: [{ got: 'something that is not a plain file' }] })
})

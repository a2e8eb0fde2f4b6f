import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { openState } from '../../../gateway/state/open.ts'
import { fileReader, freshFolder } from './_state.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../vectors/g1.json', import.meta.url), 'utf8'),
) as { readonly build_key: string }

const REFUSED: Readonly<Record<string, string>> = {
  empty: '',
  'one byte short': 'k9'.repeat(15) + 'x',
  'the key of the published vectors': vectors.build_key,
  'an example of a document': 'example-build-key-k2jf83hf72hd73hf82',
  'a text that asks to be changed': 'CHANGE_ME_please_k2jf83hf72hd73hf82j',
  'one character over and over': 'a'.repeat(64),
}

for (const [what, key] of Object.entries(REFUSED)) {
  t.test(`a configured build key is refused: ${what}`, async (t) => {
    const folder = freshFolder()
    const file = join(dirname(folder), 'configured.key')
    writeFileSync(file, key, { mode: 0o600 })
    const opened = await openState({ folder, reader: fileReader, buildKeys: [{ file }] })
    t.match(opened, { ok: false, problems: [{ path: 'build_keys[0]', repair: /32 random bytes/ }] })
    if (key !== '') t.notOk(JSON.stringify(opened).includes(key), 'the key is not told')
  })
}

t.test('32 bytes are enough', async (t) => {
  const folder = freshFolder()
  const file = join(dirname(folder), 'configured.key')
  writeFileSync(file, 'q8Zr2LwX5vN1tKp7Yb3Jm6Hd4Gs9Fc0e', { mode: 0o600 })
  const opened = await openState({ folder, reader: fileReader, buildKeys: [{ file }] })
  t.ok(opened.ok)
})

t.test('a configured key that is missing is not made', async (t) => {
  const folder = freshFolder()
  const absent = [{ file: join(dirname(folder), 'absent.key') }]
  const opened = await openState({
    folder,
    reader: fileReader,
    buildKeys: absent,
    ownerKey: absent[0],
  })
  t.match(opened, { ok: false, problems: [{ path: 'build_keys[0]' }, { path: 'owner_key' }] })
})

t.test('a key for checkpoints that is none is refused, and not told', async (t) => {
  const folder = freshFolder()
  await openState({ folder, reader: fileReader })
  for (const key of ['q8Zr2LwX5vN1tKp7Yb3Jm6Hd4Gs9Fc0e', 'A'.repeat(44), `${'A'.repeat(42)}B`]) {
    writeFileSync(join(folder, 'ledger.key'), `${key}\n`)
    const opened = await openState({ folder, reader: fileReader })
    t.match(opened, { ok: false, problems: [{ path: join(folder, 'ledger.key') }] })
    t.notOk(JSON.stringify(opened).includes(key))
  }
})

t.test('a key of the state folder that was cut short is refused', async (t) => {
  const folder = freshFolder()
  await openState({ folder, reader: fileReader })
  writeFileSync(join(folder, 'build.key'), 'short\n')
  const opened = await openState({ folder, reader: fileReader })
  t.match(opened, { ok: false, problems: [{ path: 'build_keys[0]', got: 'a key of 5 bytes' }] })
})

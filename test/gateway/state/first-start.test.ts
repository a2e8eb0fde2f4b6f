import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openState } from '../../../gateway/state/open.ts'
import { fileReader, freshFolder, stateOf } from './_state.ts'

t.test('the first start makes keys and folders for the owner alone, and says so', async (t) => {
  const folder = freshFolder()
  const state = stateOf(await openState({ folder, reader: fileReader }))
  const names = ['ca', 'ledger', 'bodies', 'db', 'build.key', 'owner.key', 'ledger.key']
  t.strictSame(state.made, [folder, ...names.map((name) => join(folder, name))])
  for (const path of state.made) {
    const stat = statSync(path)
    t.equal(stat.mode & 0o777, stat.isDirectory() ? 0o700 : 0o600, path)
  }
  t.equal(readdirSync(folder).length, names.length, 'no draft is left behind')
})

t.test('a key is base64url of 32 random bytes, and used as its text', async (t) => {
  const folder = freshFolder()
  const { buildKeys, ownerKey, paths } = stateOf(await openState({ folder, reader: fileReader }))
  t.match(buildKeys[0].reveal(), /^[\w-]{43}$/)
  t.equal(Buffer.from(buildKeys[0].reveal(), 'base64url').length, 32)
  t.equal(buildKeys[0].reveal(), readFileSync(paths.buildKey, 'utf8').trim())
  t.not(buildKeys[0].reveal(), ownerKey.reveal())
})

t.test('a second start makes nothing and reads the same keys', async (t) => {
  const folder = freshFolder()
  const first = stateOf(await openState({ folder, reader: fileReader }))
  const second = stateOf(await openState({ folder, reader: fileReader }))
  t.strictSame(second.made, [])
  t.equal(second.buildKeys[0].reveal(), first.buildKeys[0].reveal())
  t.equal(second.ownerKey.reveal(), first.ownerKey.reveal())
})

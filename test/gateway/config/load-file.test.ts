import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../gateway/config/index.ts'
import { HOME, tempFolder } from './_config.ts'

t.test('paths are relative to the configuration file, and ~ is the home folder', async (t) => {
  const folder = tempFolder()
  const file = join(folder, 'narrowgate.yaml')
  writeFileSync(
    file,
    'state: ./state\nowner_key: { file: ~/owner.key }\nlisten: { owner: "unix:o.sock" }\n',
  )
  const loaded = loadConfig({ file, env: { HOME }, cwd: '/' })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  t.equal(loaded.config.file, file)
  t.equal(loaded.config.state, join(folder, 'state'))
  t.strictSame(loaded.config.ownerKey, { file: `${HOME}/owner.key` })
  t.strictSame(loaded.config.listen.owner, { kind: 'unix', path: join(folder, 'o.sock') })
})

t.test('narrowgate.yaml in the working folder is found', async (t) => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'narrowgate.yaml'), 'grant_label: other\n')
  const loaded = loadConfig({ env: {}, cwd })
  t.equal(loaded.ok && loaded.config.grantLabel, 'other')
})

t.test('a file that was named must be there', async (t) => {
  const file = join(tempFolder(), 'absent.yaml')
  const loaded = loadConfig({ file, env: {}, cwd: '/' })
  t.equal(loaded.ok ? '' : loaded.problems[0]?.path, file)
})

t.test('the command line comes before the environment, and that before the file', async (t) => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'narrowgate.yaml'), 'state: /from-file\n')
  const state = (env: NodeJS.ProcessEnv, overrides?: { readonly state: string }) => {
    const loaded = loadConfig({ env, cwd, overrides })
    return loaded.ok ? loaded.config.state : undefined
  }
  t.equal(state({}), '/from-file')
  t.equal(state({ NARROWGATE_STATE: '/from-env' }), '/from-env')
  t.equal(
    state({ NARROWGATE_STATE: '/from-env' }, { state: 'from-argument' }),
    join(cwd, 'from-argument'),
  )
})

t.test('listen addresses can be set from outside', async (t) => {
  const overrides = { listen: { proxy: '127.0.0.1:0' } }
  const loaded = loadConfig({ env: {}, cwd: tempFolder(), overrides })
  t.strictSame(loaded.ok && loaded.config.listen.proxy, { kind: 'tcp', host: '127.0.0.1', port: 0 })
})

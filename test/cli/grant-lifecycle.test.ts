import t from 'tap'
import { shell } from '../../cli/lab/shell.ts'
import { openLab } from './lab.ts'
import { cleanEnv } from './process.ts'

t.test('a grant is minted, listed, shown, used and revoked', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const flags = [
    '--tools',
    'HTTP_GET',
    '--expires',
    '1h',
    '--uses',
    '2',
    '--task',
    'T-3',
    '--id',
    'g_test',
  ]
  const minted = await lab.run([
    'grant',
    'mint',
    ...flags,
    '--arg',
    'HTTP_GET.host = api.demo.test',
  ])
  const token = minted.stdout.trimEnd()

  await t.test('the token is stdout’s only line', async (t) => {
    t.equal(minted.exit, 0, minted.stderr)
    t.match(token, /^g1\.[\w-]+\.[\w-]+$/)
    t.notMatch(minted.stderr, token, 'and not on stderr')
    t.match(minted.stderr, 'uses <= 2')
  })

  await t.test('it is listed without its token', async (t) => {
    const { stdout } = await lab.run(['grant', 'list'])
    t.match(stdout, /g_test .*grant mint .*T-3 .*HTTP_GET .*good/)
    const [grant] = JSON.parse((await lab.run(['grant', 'list', '--json'])).stdout)
    t.equal(grant.id, 'g_test')
    t.equal(grant.lines.length, 5)
    t.notMatch(JSON.stringify(grant), token)
  })

  await t.test('it is used, and shown with what is left', async (t) => {
    const { stdout: script } = await lab.run(['env', '--token', token])
    const line = `${script}\nnode client.mjs https://api.demo.test/ping`
    t.equal((await shell(line, { cwd: lab.folder, env: cleanEnv() })).stdout, 'pong')
    const shown = JSON.parse(
      (await lab.run(['grant', 'show', '-', '--json'], { input: token })).stdout,
    )
    t.equal(shown.verified, true)
    t.match(shown.uses, [{ limit: 2, used: 1 }])
    const plain = await lab.run(['grant', 'show', token])
    t.match(plain.stdout, /verified with this state/)
    t.match(plain.stdout, 'uses: 1 left of 2')
  })

  await t.test('revoked, it shows so, and show says no', async (t) => {
    t.equal((await lab.run(['grant', 'revoke', 'g_test'])).exit, 0)
    const shown = await lab.run(['grant', 'show', token])
    t.equal(shown.exit, 1)
    t.match(shown.stdout, /revoked/)
    t.match((await lab.run(['grant', 'list'])).stdout, /g_test .*revoked/)
  })

  await t.test('a token of another gateway is explained and not verified', async (t) => {
    const forged = `${token.slice(0, -10)}AAAAAAAAAA`
    const shown = await lab.run(['grant', 'show', forged])
    t.equal(shown.exit, 1)
    t.match(shown.stdout, /not verified/)
    t.match(shown.stdout, 'uses <= 2')
  })

  await t.test('a line that does not parse is refused, and no token is printed', async (t) => {
    for (const bad of [
      ['--task', ''],
      ['--model', ''],
      ['--arg', 'HTTP_GET'],
    ]) {
      const ran = await lab.run(['grant', 'mint', '--tools', 'HTTP_GET', ...bad])
      t.equal(ran.exit, 1, bad.join(' '))
      t.equal(ran.stdout, '')
    }
  })

  await t.test('the run template fills in its lines', async (t) => {
    const ran = await lab.run(['grant', 'mint', '--run', '--without', 'uses'])
    for (const line of ['tools = HTTP_*', 'expires < ', 'task = T-run-', 'delegate = no'])
      t.match(ran.stderr, line)
    t.notMatch(ran.stderr, 'uses <=')
  })
})

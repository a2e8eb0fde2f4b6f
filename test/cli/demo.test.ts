import t from 'tap'
import { narrowgate } from './process.ts'

t.test('the demonstration does what it says', async (t) => {
  const ran = await narrowgate(['demo'], { cwd: t.testdir() })
  t.equal(ran.exit, 0, ran.stdout + ran.stderr)
  t.notMatch(ran.stdout, '✗')
  t.equal(ran.stdout.match(/✓/g)?.length, 10, 'every check is made')
  t.match(ran.stdout, /\d{5,} bytes came from the API, \d{1,3} reached the agent/)
  t.notMatch(ran.stdout, /demo-[\w-]{24}/, 'the key is nowhere')
  t.notMatch(ran.stdout, /g1\.[\w-]+\.[\w-]{43}/, 'no whole token is shown')
})

t.test('it runs without curl as well', async (t) => {
  const { dirname } = await import('node:path')
  const bin = t.testdir({
    node: t.fixture('symlink', process.execPath),
    sh: t.fixture('symlink', '/bin/sh'),
    cut: t.fixture('symlink', '/usr/bin/cut'),
  })
  t.not(dirname(process.execPath), bin)
  const ran = await narrowgate(['demo'], { env: { PATH: bin } })
  t.equal(ran.exit, 0, ran.stdout + ran.stderr)
  t.match(ran.stdout, 'node client.mjs')
})

import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { narrowgate, start } from './process.ts'

const FREE = ['--listen', '127.0.0.1:0', '--listen-owner', '127.0.0.1:0']

t.test('serve starts with no configuration, says what it made, and stops on SIGTERM', async (t) => {
  const cwd = t.testdir()
  const state = join(cwd, 'state')
  const child = start(['serve', '--state', 'state', ...FREE], { cwd })
  t.teardown(() => child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      stdout += String(chunk)
      if (stdout.includes('"listening"')) resolve()
    })
  })
  const line = JSON.parse(stdout.split('\n').find((each) => each.includes('"listening"')) ?? '')
  t.match(line.proxy, /^127\.0\.0\.1:\d+$/)
  t.match(line.owner, /^127\.0\.0\.1:\d+$/)
  while (!stderr.includes('next')) await once(child.stderr ?? child, 'data')
  for (const made of ['build.key', 'owner.key', 'ca']) t.match(stderr, made, `it names ${made}`)
  t.match(stderr, 'narrowgate run')
  t.equal(statSync(join(state, 'build.key')).mode & 0o777, 0o600)

  await t.test('a second one on the same state is refused', async (t) => {
    const second = await narrowgate(['serve', '--state', 'state', ...FREE], { cwd })
    t.equal(second.exit, 1)
    t.match(second.stderr, new RegExp(`another process writes to it, pid \`${child.pid}\``))
  })

  await t.test('SIGHUP keeps the old configuration where the new one is wrong', async (t) => {
    writeFileSync(join(cwd, 'narrowgate.yaml'), 'lisen: {}\n')
    child.kill('SIGHUP')
    while (!stderr.includes('lisen')) await once(child.stderr ?? child, 'data')
    t.match(stderr, /kept .*old configuration/)
  })

  child.kill('SIGTERM')
  const [exit] = await once(child, 'close')
  t.equal(exit, 0, stderr)
  t.notOk(existsSync(join(state, 'gateway.json')), 'and it takes its announcement back')
})

t.test('a wrong configuration is no start, with every problem', async (t) => {
  const cwd = t.testdir({ 'narrowgate.yaml': 'lisen: {}\nlog: { level: loud }\n' })
  const ran = await narrowgate(['serve', '--state', 'state', ...FREE], { cwd })
  t.equal(ran.exit, 1)
  t.match(ran.stderr, 'lisen')
  t.match(ran.stderr, 'log.level')
  t.notOk(existsSync(join(cwd, 'state')), 'and nothing was made')
})

t.test('the line with the addresses is there at every log level', async (t) => {
  const cwd = t.testdir({ 'narrowgate.yaml': 'log: { level: silent }\n' })
  const child = start(['serve', '--state', 'state', ...FREE], { cwd })
  t.teardown(() => child.kill('SIGKILL'))
  const [chunk] = await once(child.stdout ?? child, 'data')
  t.equal(JSON.parse(String(chunk)).msg, 'listening')
})

import t from 'tap'
import { openLab } from './lab.ts'

const GET = ['run', '--tools', 'HTTP_GET', '--task', 'T-9/1', '--', 'node', 'client.mjs']

t.test('run, behind the gateway of its state', async (t) => {
  const lab = await openLab((end) => t.teardown(end))

  await t.test('an allowed call gets the key, and the summary counts it', async (t) => {
    const ran = await lab.spawn([...GET, 'https://api.demo.test/me'])
    t.equal(ran.exit, 0, ran.stderr)
    t.match(ran.stdout, '"key_received":true')
    t.match(
      ran.stderr,
      /\nnarrowgate: 1 allowed, 0 refused, 0 failed · task T-9\/1 · narrowgate ledger list --task T-9\/1\n$/,
    )
  })

  await t.test('a refused call is named in the summary by its code', async (t) => {
    const ran = await lab.spawn([...GET, '-X', 'DELETE', 'https://api.demo.test/me'])
    t.match(ran.stdout, 'tool_not_granted')
    t.match(ran.stderr, /\nnarrowgate: 0 allowed, 1 refused \(tool_not_granted\), 0 failed · /)
  })

  await t.test('neither token nor key is printed, and the lines are', async (t) => {
    const ran = await lab.spawn(['run', '--', 'node', 'client.mjs', 'https://api.demo.test/ping'])
    t.equal(ran.exit, 0, ran.stderr)
    for (const text of [ran.stdout, ran.stderr]) {
      t.notMatch(text, /g1\.[\w-]{20}/)
      t.notMatch(text, lab.key)
    }
    for (const line of [
      'tools = HTTP_*',
      'uses <= 1000',
      'task = T-run-',
      'delegate = no',
      'expires < ',
    ]) {
      t.match(ran.stderr, line)
    }
    t.equal(ran.stderr.match(/^ {2}default {2}/gm)?.length, 5, 'each default is marked')
  })

  await t.test(
    'the token stands in the environment alone, not in the list of processes',
    async (t) => {
      const script =
        'tr "\\0" " " < /proc/$PPID/cmdline; tr "\\0" " " < /proc/$$/cmdline; echo; echo "$HTTPS_PROXY"'
      const ran = await lab.spawn(['run', '--', 'sh', '-c', script])
      const [commands = '', proxy = ''] = ran.stdout.trimEnd().split('\n')
      t.match(proxy, /^http:\/\/agent:g1\.[\w-]+\.[\w-]+@127\.0\.0\.1:\d+$/)
      t.match(commands, 'main.js')
      t.notMatch(commands, /g1\./)
    },
  )

  await t.test('a gateway that is named has to answer', async (t) => {
    const ran = await lab.spawn(['run', '--gateway', 'http://127.0.0.1:1', '--', 'true'])
    t.equal(ran.exit, 69)
    t.match(ran.stderr, /nothing answers/)
  })

  await t.test('a gateway may be named', async (t) => {
    const url = `http://${lab.gateway.addresses.proxy}`
    const ran = await lab.spawn([
      'run',
      '--gateway',
      url,
      '--',
      'node',
      'client.mjs',
      'https://api.demo.test/ping',
    ])
    t.equal(ran.stdout, 'pong', ran.stderr)
  })

  await t.test('a token in the gateway’s URL is refused and not repeated', async (t) => {
    const ran = await lab.spawn([
      'run',
      '--gateway',
      'http://agent:g1.secret@127.0.0.1:1',
      '--',
      'true',
    ])
    t.equal(ran.exit, 2)
    t.notMatch(ran.stderr, 'g1.secret')
  })
})

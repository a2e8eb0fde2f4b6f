import t from 'tap'
import { run } from './in-process.ts'

const TOKEN = 'g1.e30.c2VjcmV0LW9mLXRoZS10b2tlbg'
const NOBODY = '127.0.0.1:1'

t.test('without a token, or with an address that is none, nothing is begun', async (t) => {
  for (const NARROWGATE_TOKEN of ['', 'two words', 'a\nb']) {
    const { exit, stderr } = await run(['mcp', '--gateway', NOBODY], { env: { NARROWGATE_TOKEN } })
    t.equal(exit, 2)
    t.match(stderr, /NARROWGATE_TOKEN .*\n.*an argument would stand in the list of processes/)
  }
  for (const address of [
    `http://${TOKEN}@127.0.0.1:1`,
    'http://127.0.0.1:1/g/mcp',
    'ftp://127.0.0.1',
    ':::',
  ]) {
    const env = { NARROWGATE_TOKEN: TOKEN }
    const { exit, stderr } = await run(['mcp', '--gateway', address], { env })
    t.equal(exit, 2, address)
    t.match(stderr, /write it as http:\/\/host:port/)
    t.notMatch(stderr, TOKEN, 'an address that is wrong is not told again')
  }
})

t.test('each request gets an answer, whatever is wrong', async (t) => {
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
    'no json',
    '',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":"x","method":"tools/list"}',
  ]
  const { exit, stdout, stderr } = await run(['mcp'], {
    env: { NARROWGATE_TOKEN: TOKEN, NARROWGATE_GATEWAY: NOBODY },
    input: lines.map((line) => `${line}\n`).join(''),
  })
  t.equal(exit, 0)
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error: { code: number } })
  t.strictSame(said.map(({ id, error }) => `${String(id)} ${error.code}`).toSorted(), [
    '1 -32000',
    'null -32600',
    'x -32000',
  ])
  t.match(stderr, /narrowgate mcp:/)
  t.notMatch(stdout + stderr, TOKEN)
})

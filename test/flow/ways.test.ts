import type { Test } from 'tap'
import { WAY_NAMES } from '../../catalog/index.ts'
import { flow, type TestGateway } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { run } from '../cli/in-process.ts'
import {
  jsonOf,
  openDesk,
  ROWS,
  runText,
  SAMPLES,
  watched,
  waysFrom,
  type Desk,
  type WayText,
} from './_ways.ts'

// Texts run by sh, node, python3, curl and the command line, at one gateway: some ten seconds. All ways are in test/long.

const QUICK = ['curl', 'js', 'python', 'run', 'jsonrpc', 'line', 'tag', 'url', 'named']
const TOOLS = ['SEARCH', 'MAKE', 'HTTP_GET']

const { setup, seen } = watched(ROWS)

await flow('the texts of ways', setup, async (t, gateway) => {
  const desk = openDesk(t)
  const token = gateway.mint('tools = SEARCH,MAKE,LARGE,HTTP_GET')
  for (const tool of TOOLS)
    await t.test(`${tool}: the quick ways`, (t) => quick(t, { desk, gateway, token, tool }))
  await t.test('JSON-RPC keeps a large number', async (t) => {
    const large = SAMPLES.find(({ tool }) => tool === 'LARGE')!
    const query = { args: jsonOf(large), ways: 'jsonrpc' }
    const [way] = await waysFrom(gateway, token, 'LARGE', query)
    seen.length = 0
    await runText(desk, way!)
    t.match(seen, [{ body: '{"id":12345678901234567890,"name":"big"}' }])
  })
  t.strictSame(
    (await gateway.receipts()).filter(({ outcome }) => outcome !== 'allowed'),
    [],
  )
  await t.test('what a door tells', (t) => told(t, gateway, token))
  await t.test('the owner has no token at hand', (t) => owned(t, gateway, { desk, token }))
  await t.test('the command line', (t) => command(t, gateway, { desk, token }))
})

interface Bench {
  readonly desk: Desk
  readonly gateway: TestGateway
  readonly token: string
  readonly tool: string
}

async function quick(t: Test, { desk, gateway, token, tool }: Bench): Promise<void> {
  const sample = SAMPLES.find((one) => one.tool === tool)!
  const query = { args: jsonOf(sample), ways: QUICK.join() }
  const ways = await waysFrom(gateway, token, tool, query)
  t.strictSame(
    ways.map(({ way }) => way),
    QUICK,
  )
  seen.length = 0
  const ended = await Promise.all(ways.map((way) => runText(desk, way)))
  for (const [at, { code, out, err }] of ended.entries())
    t.match({ code, out }, { code: 0, out: /pong/ }, `${QUICK[at]} ${err}`)
  t.equal(seen.length, QUICK.length)
  for (const call of seen) t.strictSame(call, seen[0], 'the same call')
  const made = (await gateway.receipts()).filter((receipt) => receipt['tool'] === tool)
  t.equal(made.length, QUICK.length, 'a receipt each')
}

/** The ways that a way of asking gives, or the code of the refusal. */
async function ask(gateway: TestGateway, path: string, token: string) {
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await answer.json()) as {
    readonly ways?: readonly WayText[]
    readonly code?: string
  }
  return body.ways?.map(({ way }) => way) ?? body.code
}

async function told(t: Test, gateway: TestGateway, token: string): Promise<void> {
  const of = (query: string) => ask(gateway, `/g/contracts/SEARCH${query}`, token)
  t.strictSame(await of(''), WAY_NAMES, 'all of them')
  t.strictSame(await of('?ways=misc,curl'), ['cli', 'curl'])
  t.equal(await of('?ways=curl,fax'), 'malformed_request')
  t.equal(await of('?way=curl'), 'unknown_field')
  t.equal(await of('?args=[]'), 'malformed_request')
  t.equal(await of('?args={"stranger":1}'), 'unknown_field')
  t.equal(await ask(gateway, '/g/contracts/HTTP_POST', token), 'not_found', 'it may not be called')
  const ways = await waysFrom(gateway, token, 'SEARCH', {})
  const missing = ways.filter(({ text }) => text === undefined)
  t.match(missing, [
    { way: 'console_app', set: /GET .api.contracts/ },
    { way: 'webhook', set: '`doors: {webhook: true}`' },
    { way: 'ssh', set: /ways.ssh_host/ },
    { way: 'graphql', set: '`doors: {graphql: true}`' },
  ])
  const base = `http://127.0.0.1:${gateway.proxyPort}`
  for (const { way, text } of ways)
    if (text !== undefined && way !== 'oip_shape' && way !== 'function_direct')
      t.ok(
        text.includes(base) || text.includes(base.replace('http', 'ws')),
        `${way} names the gateway`,
      )
  const definition = ways.find(({ way }) => way === 'function_call')?.definition
  t.match(definition, {
    type: 'function',
    function: { name: 'SEARCH', parameters: { type: 'object' } },
  })
}

interface Holder {
  readonly desk: Desk
  readonly token: string
}

async function owned(t: Test, gateway: TestGateway, { desk, token }: Holder): Promise<void> {
  const path = '/api/contracts/MAKE?ways=curl,js,python,shell,console_app'
  const { body } = await askOwner(gateway, 'GET', path)
  const ways = body['ways'] as readonly WayText[]
  const [console_] = ways.filter(({ way }) => way === 'console_app')
  const origin = `http://${gateway.gateway.addresses.owner}`
  t.ok(console_?.text.startsWith(`${origin}/console/tools/MAKE?args=%7B`), 'of its own console')
  for (const way of ways.filter(({ way }) => way !== 'console_app')) {
    t.notMatch(way.text, 'g1.')
    const env = { NARROWGATE_TOKEN: token }
    const { out } = await runText(desk, way, env)
    t.match(out, 'pong', `${way.way} reads the variable`)
  }
  t.strictSame(
    seen.slice(-4).map(({ body: sent }) => JSON.parse(sent) as unknown),
    Array(4).fill({ title: 'text', count: 1, tags: ['text'], meta: { name: 'text' } }),
    'examples by the types of the row',
  )
}

async function command(t: Test, gateway: TestGateway, { desk, token }: Holder): Promise<void> {
  const env = {
    NARROWGATE_TOKEN: token,
    NARROWGATE_GATEWAY: `http://127.0.0.1:${gateway.proxyPort}`,
    NARROWGATE_STATE: gateway.state,
  }
  const say = (...args: readonly string[]) => run(args, { env })
  const place = ['--config', gateway.configFile, '--gateway', env.NARROWGATE_GATEWAY]
  const ways = ['catalog', 'ways', 'SEARCH', 'q=a b', 'page=2', ...place]

  const called = await say('misc', 'SEARCH', 'q=a b', 'page=2')
  t.match(called, { exit: 0, stdout: /pong/, stderr: /^receipt [0-9a-f-]{36}\n$/ })
  t.match(seen.at(-1), { call: 'GET /search?q=a%20b&page=2' })
  const asked = await say('call', 'MAKE', '--json', '{"title":"x"}', '--want', 'pong')
  t.match(asked, { exit: 0, stdout: /^\{"pong":/ })
  t.match(gateway.receipt(asked.stderr.slice(8).trim()), { envelope: { select: ['pong'] } })
  const file = desk.file('token', `${token}\n`)
  const filed = await run(['call', 'SEARCH', '--token-file', file], {
    env: { NARROWGATE_GATEWAY: env.NARROWGATE_GATEWAY },
  })
  t.equal(filed.exit, 0)

  const denied = await say('call', 'ITEM', 'owner=a', 'id=b')
  t.match(denied, { exit: 1, stdout: '', stderr: /refused tool_not_granted \(403\)\n.*\nreceipt / })
  const usage = [
    await say('call', 'MAKE', 'title'),
    await say('call', 'MAKE', '--json', '[]'),
    await say('call', 'MAKE', '--want', '{'),
    await say('call', 'MAKE', 'title=x', '--json', '{}'),
    await run(['call', 'MAKE'], { env: { NARROWGATE_GATEWAY: env.NARROWGATE_GATEWAY } }),
    await run(['call', 'MAKE'], { env: { ...env, NARROWGATE_GATEWAY: 'http://gate/g' } }),
  ]
  t.strictSame(
    usage.map(({ exit }) => exit),
    [2, 2, 2, 2, 2, 2],
  )
  const nobody = { ...env, NARROWGATE_GATEWAY: 'http://127.0.0.1:1' }
  const away = await run(['call', 'MAKE', 'title=x'], { env: nobody })
  t.match(away, { exit: 69, stderr: /no gateway answers at/ })

  const one = await say(...ways, '--way', 'curl')
  const before = seen.length
  await desk.run('sh', [desk.file('printed.sh', one.stdout)], env)
  t.match(seen.slice(before), [{ call: 'GET /search?q=a%20b&page=2' }], 'it runs as printed')
  const listed = JSON.parse((await say(...ways, '--json')).stdout) as readonly WayText[]
  t.strictSame(
    listed.map(({ way }) => way),
    WAY_NAMES,
  )
  t.match(await say(...ways, '--way', 'ssh'), { exit: 1, stderr: /ways.ssh_host/ })
  t.match(await say(...ways, '--way', 'fax'), { exit: 2, stderr: /use: curl, named/ })
  t.match(await say('catalog', 'ways', 'SEARCH', 'page=x', ...place), { exit: 2 })
  t.match(await say('catalog', 'ways', 'NONE', ...place), { exit: 1 })
}

import t from 'tap'
import type { MountConfig } from '../../../gateway/config/types.ts'
import { mountOfHost, mountOfPath } from '../../../gateway/doors/mounts.ts'
import { TOKEN, basic, openDoor, rawClient } from './_door.ts'

const to = { scheme: 'https', host: 'api.test', port: 443 } as const
const mount = (over: Partial<MountConfig>): MountConfig => ({
  prefix: undefined,
  host: undefined,
  to,
  basePath: '',
  slot: 'authorization',
  ...over,
})

const OPENAI = mount({ prefix: '/openai' })
const AZURE = mount({ prefix: '/openai/azure', basePath: '/base', slot: 'api-key' })
const ANTHROPIC = mount({ host: 'anthropic.gw.test', basePath: '/v9', slot: 'x-api-key' })
const ALL = [OPENAI, AZURE, ANTHROPIC]

t.test('a prefix covers whole segments, the longer one wins, the rest stays byte for byte', (t) => {
  const cases: [target: string, prefix: string | undefined, path?: string][] = [
    ['/openai/v1/x%2Fy?a=%20b', '/openai', '/v1/x%2Fy?a=%20b'],
    ['/openai', '/openai', '/'],
    ['/openai?x', '/openai', '/?x'],
    ['/openai/azure/chat', '/openai/azure', '/base/chat'],
    ['/openai/azure?x', '/openai/azure', '/base?x'],
    ['/openai/azures', '/openai', '/azures'],
    ['/openais', undefined],
    ['/OpenAI/v1', undefined],
    ['/', undefined],
  ]
  for (const [target, name, path] of cases) {
    const found = mountOfPath(ALL, target)
    t.same([found?.name, found?.path], [name, path], target)
  }
  t.end()
})

t.test('a host is matched in its canonical form, with any port', (t) => {
  for (const host of ['anthropic.gw.test', 'ANTHROPIC.gw.test:3128', 'anthropic.gw.test.']) {
    t.match(mountOfHost(ALL, host, '/messages'), {
      name: 'anthropic.gw.test',
      path: '/v9/messages',
    })
  }
  for (const host of ['gw.test', 'x.anthropic.gw.test', '', 'a b'])
    t.equal(mountOfHost(ALL, host, '/'), undefined)
  t.end()
})

async function knockThrough(t: Parameters<typeof openDoor>[0], target: string, ...lines: string[]) {
  const door = await openDoor(t, { mounts: () => ALL })
  const client = await rawClient(t, door.port)
  client.send(`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', '')
  const answer = await client.end()
  return { answer, knock: door.knocks[0] }
}

t.test('a request through a mount is a knock for its upstream', async (t) => {
  const { knock } = await knockThrough(
    t,
    '/openai/v1/models?a',
    'Host: gw',
    `Authorization: Bearer ${TOKEN}`,
  )
  t.match(knock, {
    door: 'mount',
    shape: 'mount',
    origin: to,
    path: '/v1/models?a',
    credential: TOKEN,
    mount: { name: '/openai', slot: 'authorization' },
  })
  t.notOk(knock?.fault)
})

t.test('the token stands where the upstream’s key would', async (t) => {
  const host = 'Host: gw'
  const from = async (target: string, ...lines: string[]) =>
    (await knockThrough(t, target, ...lines)).knock?.credential
  t.equal(await from('/openai/x', host, `authorization: ${basic(`${TOKEN}:`)}`), TOKEN)
  t.equal(await from('/openai/azure/x', host, `API-Key: ${TOKEN}`), TOKEN)
  t.equal(await from('/x', 'Host: anthropic.gw.test', `x-api-key: ${TOKEN}`), TOKEN)
  t.equal(
    await from('/openai/x', host, `Proxy-Authorization: Bearer ${TOKEN}`),
    TOKEN,
    'or where a proxy’s would',
  )
  t.equal(
    await from('/openai/x', host, 'X-Api-Key: sk-of-its-own'),
    undefined,
    'a key of the client’s own in another header is no token',
  )
  t.equal(
    await from('/openai/azure/x', host, `api-key: ${TOKEN}`, `api-key: other`),
    undefined,
    'nor twice',
  )
})

t.test('a mount’s host has its whole name space, the holder doors’ paths included', async (t) => {
  const { knock } = await knockThrough(t, '/g/x', 'Host: anthropic.gw.test')
  t.match(knock, { path: '/v9/g/x', mount: { name: 'anthropic.gw.test' } })
})

t.test('a path that climbs out of its mount is refused', async (t) => {
  for (const rest of ['/../x', '/%2e%2e/x', '/a/%2E./x', '//other.test/x', '/a\\b']) {
    const { answer } = await knockThrough(t, `/openai${rest}`, 'Host: gw')
    t.match(answer, /^HTTP\/1\.1 400 /, rest)
  }
})

t.test('a path that no mount serves says so', async (t) => {
  const { answer } = await knockThrough(t, '/nothing', 'Host: gw')
  t.match(answer, /^HTTP\/1\.1 400 .*a path that no mount serves/s)
})

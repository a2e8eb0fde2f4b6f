import { Readable } from 'node:stream'
import t from 'tap'
import type { Secret } from '../../adapters/keys/port.ts'
import { SecretText } from '../../adapters/keys/secret.ts'
import type { Answer } from '../../adapters/upstream/port.ts'
import {
  createAccessTokens,
  type OauthKey,
  type TokenContext,
} from '../../gateway/access-tokens.ts'
import { createKeyRing } from '../../gateway/keyring.ts'
import { goodConfig } from './config/_config.ts'

const HOUR_MS = 3_600_000
const wrap = (name: string, value: string) => new SecretText(name, value)

const config = goodConfig(`
upstreams:
  - name: api
    hosts: [api.test]
    keys:
      - name: k
        secret: { env: K }
        oauth: { token_url: 'https://login.test/token', client_id: id }
`)

/** A store of tokens and an authorization server that gives each of them `life` seconds. */
function createStore({ life }: { life?: number } = {}) {
  const time = { now: 0 }
  const server = { fetched: 0, life, down: false }
  const tokens = createAccessTokens(wrap)
  const around: TokenContext = {
    config,
    secrets: new Map(),
    clock: { now: () => time.now },
    record: async () => {},
    upstream: {
      async sendOwn() {
        server.fetched += 1
        return server.down ? answerOf(500, {}) : answerOf(200, grantOf(server.fetched, server.life))
      },
    } as Partial<TokenContext['upstream']> as TokenContext['upstream'],
  }
  const of = (key = keyOf('secret')) => tokens.of(key, around)
  const drop = (token: Secret) => tokens.drop(keyOf('secret'), token, time.now)
  return { tokens, time, server, of, drop }
}

function grantOf(nth: number, life: number | undefined): object {
  const access_token = `token-${nth}-of-sixteen-bytes`
  return { access_token, token_type: 'bearer', ...(life === undefined ? {} : { expires_in: life }) }
}

function answerOf(status: number, body: object): Answer {
  return {
    status,
    statusText: '',
    headers: ['Content-Type', 'application/json'],
    body: Readable.from([Buffer.from(JSON.stringify(body))]),
    trailers: () => [],
    address: '127.0.0.1',
  }
}

/** As a snapshot of its own would have it. */
function keyOf(secret: string): OauthKey {
  const binding = structuredClone(config.upstreams[0]!.keys[0]!)
  if (binding.use.kind !== 'oauth') throw new Error('the test’s own key')
  return { binding, use: binding.use, upstream: 'api', secret: wrap('k', secret) }
}

t.test('a key that a reload left as it was keeps its token; another gets its own', async (t) => {
  const { tokens, of } = createStore({ life: 3600 })
  const first = await of()
  t.equal(await of(), first)
  const other = await of(keyOf('another secret'))
  t.not(other, first)
  t.same(
    tokens.live().map(({ token }) => token),
    [first, other],
    'both are valid',
  )
})

t.test('refused tokens are replaced a few times at once, then now and then', async (t) => {
  const { tokens, time, server, of, drop } = createStore({ life: 3600 })
  for (let at = 0; at < 20; at += 1) {
    drop(await of())
    await of()
  }
  t.equal(server.fetched, 8)
  t.equal(drop(await of()), false, 'it stays in use')
  // A whole life long the upstream refuses whatever it gets.
  for (; time.now < HOUR_MS; time.now += 10_000) {
    drop(await of())
    await of()
  }
  t.ok(tokens.live().length <= 8 + 16, `${tokens.live().length} tokens to mask`)
  t.ok(server.fetched > 16, 'some are replaced all the time')
})

t.test('a token is masked as long as it may be valid', async (t) => {
  const { tokens, time, of, drop } = createStore({ life: 3600 })
  const secrets = new Map([['k', wrap('k', 'the-secret-of-the-client')]])
  const ring = () => createKeyRing(config, { config, secrets }, tokens)
  const [before, upstream] = [ring(), { name: 'api' } as never]
  const first = (await of()).reveal()
  drop(await of())
  await of()
  const masks = () =>
    [before, ring()].map(
      (one) =>
        !one.redactor.redactText(`a ${first} b`).includes(first) &&
        one.redactorFor(upstream)?.redactText(first).includes(first) === false,
    )
  t.same(masks(), [true, true], 'by rings made before and after it was got')
  time.now += HOUR_MS
  drop(await of())
  await of()
  t.same(masks(), [true, true])
  time.now += 2 * HOUR_MS
  await of()
  t.same(masks(), [false, false], 'it ended long ago')
})

t.test('a token whose life is not told is masked for an hour', async (t) => {
  const { tokens, time, of } = createStore()
  const first = await of()
  time.now += HOUR_MS
  await of()
  t.ok(tokens.live().some(({ token }) => token === first))
})

t.test('an endpoint is asked thirty times a minute at most', async (t) => {
  const { time, server, of } = createStore({ life: 0 })
  for (let at = 0; at < 40; at += 1) await of()
  t.equal(server.fetched, 30, 'then the last one is used')
  time.now += 60_000
  server.down = true
  for (let at = 0; at < 40; at += 1) await of().catch(() => {})
  t.equal(server.fetched, 60)
  await t.rejects(of(keyOf('another secret')), {
    code: 'key_unavailable',
    reasons: [{ got: /within a minute/ }],
  })
})

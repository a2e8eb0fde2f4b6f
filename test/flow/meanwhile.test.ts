import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { eventually, flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { assertRefused } from '../helpers/refused.ts'
import type { Got, Shape } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

// A call is let through and then waits, for its body or for an access token. What changes meanwhile holds for it.

const PLACEHOLDER = '__flow_key__'
const JSON_BODY = { 'content-type': 'application/json' }
const LONG_ENOUGH_MS = 4000
const NEXT_KEY = 'qR5tY8uI2oP4aS7dF0gH3jK6lZ9xC1vB'

/** What a call may have to wait for, and whether it is judged before. */
const WAITS = {
  'a body with a key in it': { path: '/body', judgedFirst: true },
  'a body that is signed': { path: '/signed', judgedFirst: true },
  'an access token': { path: '/oauth', judgedFirst: true },
  'a body that is judged': { path: '/row', judgedFirst: false },
} as const

/** A call that waits. */
interface Waiting {
  readonly name: string
  readonly grant: string
  readonly change: Change | undefined
  /** When its token or session ends, where that is what happens to it. */
  readonly until: number
  /** Ends the wait. */
  finish(): Promise<Got>
}

interface Change {
  readonly code: string
  make(gateway: TestGateway, waiting: Waiting): Promise<unknown>
}

const CHANGES: Readonly<Record<string, Change>> = {
  revoked: {
    code: 'revoked',
    make: (gateway, { grant }) => askOwner(gateway, 'POST', `/api/grants/${grant}/revoke`, {}),
  },
  leashed: {
    code: 'tool_not_granted',
    make: (gateway, { grant }) =>
      askOwner(gateway, 'POST', `/api/grants/${grant}/leash`, { lines: ['tools = HTTP_GET'] }),
  },
  expired: { code: 'expired', make: (_, { until }) => passed(until) },
  'signed out': { code: 'session_invalid', make: (_, { until }) => passed(until) },
}

async function passed(time: number): Promise<void> {
  await delay(Math.max(0, time - Date.now()) + 50)
}

/** An upstream that gives out access tokens only when it is told to. */
function withheld() {
  const reached: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    await bodyOf(req)
    if (req.url !== '/token') {
      reached.push(`${req.url}`)
      return void res.end('done')
    }
    await released
    answerJson(res, { access_token: 'an-access-token-of-length', token_type: 'Bearer' })
  }
  return { reached, serve, release: () => release() }
}

const setupOf = (serve: NonNullable<Setup['serve']>): Setup => ({
  keys: [
    { placeholder: PLACEHOLDER, places: ['body'], paths: ['/body'] },
    { hmac: { header: 'x-mac', message: '{body}' }, paths: ['/signed'] },
    { oauth: { token_url: 'https://api.test/token', client_id: 'id' }, paths: ['/oauth'] },
  ],
  rows: [
    { name: 'ROW', method: 'POST', path: '/row', args: { properties: { a: { in: 'body' } } } },
  ],
  serve,
})

interface Place {
  readonly shape: Shape
  readonly wait: keyof typeof WAITS
  readonly change?: string
}

/** What is waited for does not depend on the shape; the one is served by the engine's own reader, the other by HTTP/2. */
const SOME_SHAPES = ['absolute', 'tunnel-h2'] as const

const PLACES: readonly Place[] = SOME_SHAPES.flatMap((shape) =>
  (Object.keys(WAITS) as (keyof typeof WAITS)[]).map((wait) => ({ shape, wait })),
)

/** Begins a call, and resolves once it waits. */
async function begin(gateway: TestGateway, { shape, wait, change }: Place): Promise<Waiting> {
  const { path, judgedFirst } = WAITS[wait]
  const until = Math.ceil((Date.now() + LONG_ENOUGH_MS) / 1000) * 1000
  const time = new Date(until).toISOString().replace('.000Z', 'Z')
  const expires = change === 'expired' ? [`expires < ${time}`] : []
  const { id, token } = await mintGrant(gateway, 'tools = *', 'uses <= 5', ...expires)
  const headers = change === 'signed out' ? await signIn(gateway, until) : {}
  const body = new Readable({ read() {} })
  const text = JSON.stringify({ a: path === '/body' ? PLACEHOLDER : 'x' })
  const sent = { ...JSON_BODY, 'content-length': String(text.length), ...headers }
  const got = gateway.ask(shape, { token, path, method: 'POST', headers: sent, body })
  body.push(text.slice(0, 5))
  if (judgedFirst) await eventually(async () => (await usedOf(gateway, id)) === 1)
  return {
    name: `${shape}: ${wait}, ${change}`,
    grant: id,
    change: CHANGES[change ?? ''],
    until,
    finish() {
      body.push(text.slice(5))
      body.push(null)
      return got
    },
  }
}

async function signIn(gateway: TestGateway, until: number): Promise<Record<string, string>> {
  const seconds = Math.round((until - Date.now()) / 1000)
  const { body } = await askOwner(gateway, 'POST', '/api/persons/alice/session', { seconds })
  return { 'narrowgate-session': String(body['session']) }
}

async function usedOf(gateway: TestGateway, id: string): Promise<number | undefined> {
  const { body } = await askOwner(gateway, 'GET', `/api/grants/${id}`)
  return (body['uses'] as readonly { used: number }[])[0]?.used
}

const upstream = withheld()

flow(
  'what happens to a grant or a session while a call waits holds for the call',
  setupOf(upstream.serve),
  async (t, gateway) => {
    await askOwner(gateway, 'POST', '/api/persons', { id: 'alice' })
    const all = PLACES.flatMap((place) =>
      Object.keys(CHANGES).map((change) => ({ ...place, change })),
    )
    const calls = await Promise.all(all.map((place) => begin(gateway, place)))
    await Promise.all(calls.map(async (call) => call.change?.make(gateway, call)))
    upstream.release()
    const ends = await Promise.all(calls.map((call) => call.finish()))
    for (const [at, { name, change, grant }] of calls.entries()) {
      assertRefused(t, gateway, ends[at]!, { status: 403, code: change!.code, name })
      t.equal(await usedOf(gateway, grant), 0, `${name}: its use is given back`)
    }
    t.same(upstream.reached, [], 'none reached the upstream')

    const others = await Promise.all(PLACES.map((place) => begin(gateway, place)))
    for (const { name, finish } of others) t.equal((await finish()).status, 200, name)
    t.equal(upstream.reached.length, PLACES.length, 'where nothing happens they all do')
  },
)

const ringed = withheld()

flow(
  'a build key that is taken out ends what waits under it',
  setupOf(ringed.serve),
  async (t, gateway) => {
    const { configFile } = gateway
    const calls = await Promise.all(PLACES.map((place) => begin(gateway, place)))
    const config = parse(readFileSync(configFile, 'utf8')) as object
    writeFileSync(
      configFile,
      stringify({ ...config, build_keys: [{ command: ['printf', '%s', NEXT_KEY] }] }),
    )
    t.ok((await gateway.gateway.reload()).ok)
    ringed.release()
    for (const { name, finish } of calls)
      t.match(await finish(), { status: 403, text: /revoked/ }, name)
    t.same(ringed.reached, [], 'none reached the upstream')
  },
)

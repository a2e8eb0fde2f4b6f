import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse, stringify } from 'yaml'
import { flow, KEY } from '../helpers/gateway.ts'
import { leaksIn } from '../helpers/leaks.ts'
import { askOwner } from '../helpers/owner.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

const CLIENT = 'the gateway:1'

interface GrantAnswer {
  readonly life?: number
  readonly status?: number
  /** In place of a grant. */
  readonly raw?: (res: ServerResponse) => void
}

/** An authorization server and the API behind it, in one. */
function authorizing(answer: GrantAnswer = {}) {
  const journal = {
    answer,
    fetched: 0,
    /** What came with the last fetch. */
    login: '',
    form: new URLSearchParams(),
    /** Tokens that the API takes no more. */
    revoked: new Set<string>(),
    calls: [] as string[],
  }
  const token = (nth: number) => `token-${nth}/abc+def==.g_h~i-9`
  const grant = async (req: IncomingMessage, res: ServerResponse) => {
    journal.form = new URLSearchParams((await bodyOf(req)).toString())
    journal.login = Buffer.from(String(req.headers.authorization).slice(6), 'base64').toString()
    await new Promise((resolve) => setTimeout(resolve, 30))
    if (journal.answer.raw !== undefined) return journal.answer.raw(res)
    if (journal.answer.status !== undefined)
      return answerJson(res, { error: 'invalid_client', secret: KEY }, journal.answer.status)
    journal.fetched += 1
    answerJson(res, {
      access_token: token(journal.fetched),
      token_type: 'bearer',
      expires_in: journal.answer.life ?? 3600,
    })
  }
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/token') return grant(req, res)
    await bodyOf(req)
    const held = String(req.headers.authorization).replace('Bearer ', '')
    journal.calls.push(`${req.method} ${held}`)
    res.statusCode = journal.revoked.has(held) ? 401 : 200
    res.end(`you sent ${held}, ${Buffer.from(held).toString('base64')}`)
  }
  return { journal, serve, token }
}

const keys = (more: object = {}) => [
  { oauth: { token_url: 'https://api.test/token', client_id: CLIENT, ...more } },
]

const basic = authorizing()

flow(
  'a token is fetched once for all, used, and masked',
  { keys: keys({ scope: 'read write' }), serve: basic.serve },
  async (t, gateway) => {
    const grant = gateway.mint('tools = HTTP_*')
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => gateway.ask('tunnel-h1', { token: grant, path: '/a' })),
    )
    t.equal(basic.journal.fetched, 1)
    t.same(new Set(basic.journal.calls), new Set([`GET ${basic.token(1)}`]))
    t.same(Object.fromEntries(basic.journal.form), {
      grant_type: 'client_credentials',
      scope: 'read write',
    })
    const [id = '', secret = ''] = basic.journal.login
      .split(':')
      .map((part) => new URLSearchParams(`a=${part}`).get('a') ?? '')
    t.same([id, secret], [CLIENT, KEY])
    for (const got of asked) {
      t.equal(got.status, 200)
      t.same(leaksIn(got.seen, basic.token(1)), [])
    }
    const stored = JSON.stringify(gateway.records())
    t.match(
      gateway.records().filter(({ event }) => event === 'access_token_got'),
      [{ subject: 'secure-0', data: { host: 'api.test' } }],
      'the gateway’s own call is on record',
    )
    t.same([...leaksIn(stored, KEY), ...leaksIn(stored, basic.token(1))], [])
    for (const shape of SHAPES) t.equal((await gateway.ask(shape, { token: grant })).status, 200)
    t.ok(basic.journal.fetched <= 2, 'each upstream has its own key')
  },
)

const short = authorizing({ life: 0 })

flow(
  'a token that has run out is fetched anew; the secret may go in the body',
  { keys: keys({ client_auth: 'body' }), serve: short.serve },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (let at = 0; at < 3; at += 1) await gateway.ask('absolute', { token })
    t.equal(short.journal.fetched, 3)
    t.equal(short.journal.form.get('client_id'), CLIENT)
    t.equal(short.journal.form.get('client_secret'), KEY)
    t.equal(short.journal.calls.at(-1), `GET ${short.token(3)}`)
  },
)

const ended = authorizing()

flow(
  'a token that the upstream refuses is fetched anew, once',
  { keys: keys(), serve: ended.serve },
  async (t, gateway) => {
    const { journal, token: nth } = ended
    const token = gateway.mint('tools = HTTP_*', 'uses <= 4')
    t.equal((await gateway.ask('absolute', { token })).status, 200)
    journal.revoked.add(nth(1))
    const got = await gateway.ask('absolute', { token })
    t.equal(got.status, 200, 'a safe call is sent again')
    t.same(journal.calls.slice(1), [`GET ${nth(1)}`, `GET ${nth(2)}`])
    t.same(leaksIn(got.seen, nth(2)), [], 'the new token is masked')

    journal.revoked.add(nth(2))
    const posted = await gateway.ask('absolute', { token, method: 'POST', body: 'once' })
    t.equal(posted.status, 401, 'a write is not')
    t.equal(journal.fetched, 2)
    journal.revoked.add(nth(3)).add(nth(4))
    t.equal((await gateway.ask('absolute', { token })).status, 401, 'and no call more than once')
    t.same(journal.calls.slice(3), [`POST ${nth(2)}`, `GET ${nth(3)}`, `GET ${nth(4)}`])
  },
)

const down = authorizing({ status: 401 })
const FINE = 'a-token-that-is-long-enough'
const NO_TOKENS: Readonly<Record<string, (res: ServerResponse) => void>> = {
  'another type': (res) => answerJson(res, { access_token: FINE, token_type: 'mac' }),
  'no type': (res) => answerJson(res, { access_token: FINE }),
  short: (res) => answerJson(res, { access_token: 'short', token_type: 'Bearer' }),
  'a line break': (res) =>
    answerJson(res, { access_token: `${FINE}\r\nx: y`, token_type: 'Bearer' }),
  'no JSON': (res) => void res.end(`<p>${KEY}</p>`),
  'too long': (res) =>
    answerJson(res, { access_token: FINE, token_type: 'Bearer', more: 'x'.repeat(70_000) }),
  'a redirect': (res) => void res.writeHead(307, { location: '/elsewhere' }).end(),
  'broken off': (res) => void res.destroy(),
}

flow('without a token no call leaves', { keys: keys(), serve: down.serve }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*', 'uses <= 9')
  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token })
    t.same([got.status, got.header('refused')], [502, 'key_unavailable'], shape)
    t.match(got.text, /status 401, invalid_client/)
    t.same(leaksIn(got.seen, KEY), [])
    t.match(gateway.receipt(got.header('receipt')), { outcome: 'failed', ran: false })
  }
  for (const [what, raw] of Object.entries(NO_TOKENS)) {
    down.journal.answer = { raw }
    const got = await gateway.ask('absolute', { token })
    t.same([got.status, got.header('refused')], [502, 'key_unavailable'], what)
    t.same(leaksIn(got.seen, KEY), [])
  }
  t.same(down.journal.calls, [])
  down.journal.answer = {}
  t.equal((await gateway.ask('absolute', { token })).status, 200, 'and it is asked again')
})

const stubborn = authorizing()
const issued = () =>
  Array.from({ length: stubborn.journal.fetched }, (_, at) => stubborn.token(at + 1))
const SEAL = 'eS8J2mQvX4nTzR7kL0wYc5HbGd1FpUaV'

flow(
  'a token that may still be valid is masked, whatever became of it since',
  {
    keys: [...keys(), { secret: undefined, personal: true, header: 'x-own' }],
    config: { persons: { key: { command: ['printf', '%s', SEAL] } } },
    async serve(req, res) {
      if (req.url === '/token') return stubborn.serve(req, res)
      stubborn.journal.calls.push('')
      res.statusCode = req.url === '/fine' ? 200 : 401
      res.end(issued().join(' '))
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const ask = async (what: string, path = '/refused') => {
      const got = await gateway.ask('absolute', { token, path })
      for (const one of issued()) t.same(leaksIn(got.seen, one), [], what)
      return got.status
    }
    for (let at = 0; at < 20; at += 1) t.equal(await ask('while it is renewed'), 401)
    const { fetched } = stubborn.journal
    t.ok(fetched > 1 && fetched < 12, `${fetched} tokens for 20 refusals`)
    t.equal(await ask('with the token that is held', '/fine'), 200)

    t.ok((await gateway.gateway.reload()).ok)
    t.equal(await ask('after a reload', '/fine'), 200)
    await askOwner(gateway, 'POST', '/api/persons', { id: 'alice' })
    const put = { value: 'a-key-of-her-own-5Tg77' }
    t.equal((await askOwner(gateway, 'PUT', '/api/persons/alice/keys/plain-1', put)).status, 200)
    t.equal(await ask('after a person stored a key', '/fine'), 200)
    t.equal(stubborn.journal.fetched, fetched, 'and the held one stays in use')

    // Its key gone, it is as valid as before.
    const config = parse(readFileSync(gateway.configFile, 'utf8')) as { upstreams: object[] }
    const upstreams = config.upstreams.map((one) => ({ ...one, keys: [] }))
    writeFileSync(gateway.configFile, stringify({ ...config, upstreams }))
    t.ok((await gateway.gateway.reload()).ok)
    t.equal(await ask('after its key was taken out', '/fine'), 200)
    const stored = JSON.stringify(gateway.records())
    for (const one of issued()) t.same(leaksIn(stored, one), [], 'in no record')
  },
)

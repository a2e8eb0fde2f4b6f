import type { IncomingMessage } from 'node:http'
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { databaseFiles, statePaths } from '../../gateway/state/paths.ts'
import { flow, rowName, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { leaksIn } from '../helpers/leaks.ts'
import { askOwner } from '../helpers/owner.ts'
import { assertRefused } from '../helpers/refused.ts'
import { SHAPES } from '../helpers/shapes.ts'

const HEADER = 'narrowgate-session'
const COOKIE = 'narrowgate_session'

/** The upstream tells what it was sent. */
const ECHO: Setup = {
  serve: (req, res) => void res.end(JSON.stringify(req.headers)),
}

const headersOf = (text: string) => JSON.parse(text) as IncomingMessage['headers']

async function signIn(gateway: TestGateway, id: string): Promise<string> {
  await askOwner(gateway, 'POST', '/api/persons', { id })
  const { body } = await askOwner(gateway, 'POST', `/api/persons/${id}/session`)
  return String(body['session'])
}

flow(
  'a person line holds for the person whose session the call brings',
  ECHO,
  async (t, gateway) => {
    const alice = await signIn(gateway, 'alice')
    const bob = await signIn(gateway, 'bob')
    const token = gateway.mint('tools = HTTP_*', 'person = alice')
    for (const shape of SHAPES) {
      const ask = (headers: Readonly<Record<string, string>>) =>
        gateway.ask(shape, { token, headers })
      const inHeader = await ask({ [HEADER]: alice, cookie: 'a=1' })
      t.equal(inHeader.status, 200, `${shape}: in the header`)
      t.match(gateway.receipt(inHeader.header('receipt')), { person: 'alice' })
      t.equal(headersOf(inHeader.text)[HEADER], undefined, 'the upstream gets no session')
      t.equal(headersOf(inHeader.text).cookie, 'a=1')

      const inCookie = await ask({ cookie: `a=1; ${COOKIE}=${alice}; b=2` })
      t.equal(inCookie.status, 200, `${shape}: in the cookie`)
      t.equal(headersOf(inCookie.text).cookie, 'a=1; b=2', 'the other cookies stay')
      t.equal(headersOf((await ask({ cookie: `${COOKIE}=${alice}` })).text).cookie, undefined)

      const expected = { status: 403, code: 'person_mismatch', name: shape }
      assertRefused(t, gateway, await ask({}), expected)
      assertRefused(t, gateway, await ask({ [HEADER]: bob }), expected)
      assertRefused(t, gateway, await ask({ [HEADER]: 'alice', 'x-person': 'alice' }), {
        ...expected,
        code: 'session_invalid',
      })
    }
    const people = async (session: string | undefined, form: object = {}) => {
      const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/run`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.mint('uses <= 0')}`,
          ...(session !== undefined && { [HEADER]: session }),
        },
        body: JSON.stringify({ target: 'people', op: 'list', select: ['id', 'keys'], ...form }),
      })
      return { status: answer.status, ...((await answer.json()) as { readonly rows?: unknown }) }
    }
    t.strictSame((await people(bob)).rows, [{ id: 'bob', keys: [] }], 'who is signed in')
    t.strictSame((await people(undefined)).rows, [], 'nobody')
    const other = { op: 'get', where: { id: 'bob' }, select: undefined }
    t.equal((await people(alice, other)).status, 404, 'nobody else')
    assertUnseen(t, gateway, [alice, bob])
  },
)

flow(
  'a session that does not hold is refused, whatever the token says',
  ECHO,
  async (t, gateway) => {
    const session = await signIn(gateway, 'alice')
    const other = await signIn(gateway, 'bob')
    const [, payload = '', signature = ''] = session.split('.')
    const [, foreign = ''] = other.split('.')
    const forged = Buffer.from(JSON.stringify({ person: 'root', expires: 9e15 })).toString(
      'base64url',
    )
    const token = gateway.mint('tools = HTTP_*')
    for (const bad of [
      `ns1.${payload}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
      `ns1.${foreign}.${signature}`,
      `ns1.${forged}.${signature}`,
      `ns1.${payload}`,
      session.slice(1),
      token,
    ])
      for (const headers of [{ [HEADER]: bad }, { cookie: `${COOKIE}=${bad}` }])
        assertRefused(t, gateway, await gateway.ask('absolute', { token, headers }), {
          status: 403,
          code: 'session_invalid',
          name: bad.slice(0, 12),
        })
    const both = { [HEADER]: session, cookie: `${COOKIE}=${other}` }
    assertRefused(t, gateway, await gateway.ask('absolute', { token, headers: both }), {
      status: 403,
      code: 'session_invalid',
      name: 'two persons at once',
    })
    const twice = { [HEADER]: session, cookie: `${COOKIE}=${session}` }
    t.equal((await gateway.ask('absolute', { token, headers: twice })).status, 200)
    const none = { cookie: `${COOKIE}=` }
    t.equal((await gateway.ask('absolute', { token, headers: none })).status, 200, 'signed out')
  },
)

const OWN = 'sk-alice/8Re+04?yL=52~aXn&19'
const NEXT = 'sk-alice/next-5Tg+77?zP=63~bYo'
const PERSONS_KEY = 'eS8J2mQvX4nTzR7kL0wYc5HbGd1FpUaV'

const PERSONAL: Setup = {
  // Without the secret that the helper would give it.
  keys: [{ secret: undefined, personal: true, header: 'x-key' }],
  serve: (req, res) => {
    const key = String(req.headers['x-key'] ?? 'nobody')
    res.end(JSON.stringify({ key, held: [OWN, NEXT].indexOf(key) }))
  },
  config: { persons: { key: { command: ['printf', '%s', PERSONS_KEY] } } },
  rows: [{ name: 'KEYED', method: 'GET', path: '/keyed', key: 'plain-0' }],
}

flow(
  'a key that a person stored is used for that person’s calls alone',
  PERSONAL,
  async (t, gateway) => {
    for (const id of ['alice', 'bob']) await askOwner(gateway, 'POST', '/api/persons', { id })
    const put = async (value: string) => {
      for (const name of ['plain-0', 'secure-0']) {
        const path = `/api/persons/alice/keys/${name}`
        t.equal((await askOwner(gateway, 'PUT', path, { value })).status, 200)
      }
    }
    const hers = gateway.mint('keys = alice', 'tools = *')
    const held = async (token: string, shape: (typeof SHAPES)[number]) => {
      const got = await gateway.ask(shape, { token })
      t.same(leaksIn(got.seen, OWN), [], `${shape}: her key does not come back`)
      t.same(leaksIn(got.seen, NEXT), [])
      return { held: (JSON.parse(got.text) as { held: number }).held, got }
    }
    for (const shape of SHAPES) t.equal((await held(hers, shape)).held, -1, 'before it is stored')
    await put(OWN)
    for (const shape of SHAPES) {
      const { held: which, got } = await held(hers, shape)
      t.equal(which, 0, `${shape}: hers`)
      t.match(gateway.receipt(got.header('receipt')), { keys: /^(plain|secure)-0@alice$/ })
      t.equal((await held(gateway.mint('keys = bob'), shape)).held, -1, 'somebody else’s')
      t.equal((await held(gateway.mint('tools = HTTP_GET'), shape)).held, -1, 'nobody’s')
    }
    const row = await gateway.ask('absolute', { token: hers, path: '/keyed' })
    t.match(gateway.receipt(row.header('receipt')), { tool: rowName('KEYED', 'absolute') })
    t.equal(JSON.parse(row.text).held, 0, 'a row that names the key gets hers')

    await put(NEXT)
    t.equal((await held(hers, 'absolute')).held, 1, 'the next call has the new key')
    t.equal((await gateway.gateway.reload()).ok, true)
    t.equal((await held(hers, 'absolute')).held, 1, 'and so has one after a reload')

    const { body } = await askOwner(gateway, 'GET', '/api/persons')
    t.match(body, { persons: [{ id: 'alice', keys: ['plain-0', 'secure-0'] }, { id: 'bob' }] })
    t.notMatch(JSON.stringify(body), 'sk-alice')
    assertUnseen(t, gateway, [OWN, NEXT, PERSONS_KEY])
  },
)

/** What nobody may find: not in the log, not in the database, not in the owner’s answers. */
function assertUnseen(t: Test, gateway: TestGateway, secrets: readonly string[]): void {
  const file = databaseFiles(statePaths(gateway.state)).persons
  const seen = [
    JSON.stringify(gateway.records()),
    ...[file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')),
  ].join('\n')
  for (const secret of secrets) t.same(leaksIn(seen, secret), [])
}

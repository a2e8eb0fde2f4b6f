import type { Test } from 'tap'
import { flow, KEY, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'
import { forge } from '../helpers/forge.ts'

const ROWS: Setup['rows'] = [
  {
    name: 'LIST',
    method: 'GET',
    path: '/repos/{owner}/issues',
    args: {
      properties: {
        owner: { in: 'path', type: 'string', required: true },
        page: { in: 'query', type: 'integer' },
        labels: { in: 'query', type: 'array' },
      },
    },
  },
  { name: 'SEARCH', method: 'GET', path: '/repos/search/issues' },
  {
    name: 'CREATE',
    method: 'POST',
    path: '/repos/{owner}/issues',
    args: {
      properties: {
        owner: { in: 'path', type: 'string', required: true },
        title: { in: 'body', type: 'string', required: true },
        extra: { in: 'body', type: 'object' },
        'if-match': { in: 'header', type: 'string' },
      },
    },
  },
]

const SETUP: Setup = {
  rows: ROWS,
  config: { limits: { judged_body_bytes: 65_536 } },
  keys: [{ header: 'authorization', format: 'Bearer {}' }],
  async serve(req, res) {
    if (req.url === '/repos/slow/issues') return
    answerJson(res, {
      method: req.method,
      url: req.url,
      key: req.headers.authorization === `Bearer ${KEY}`,
      match: req.headers['if-match'],
      body: (await bodyOf(req)).toString(),
    })
  },
}

const FORGED = forge('another-build-key-of-32-bytes-00', 'made', ['tools = *'])

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

type Asked = RequestInit & { readonly token?: string }

async function askAt(gateway: TestGateway, path: string, asked: Asked = {}): Promise<Answer> {
  const { token, ...init } = asked
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, { ...init, headers })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? '' : JSON.parse(text),
  }
}

const post = (gateway: TestGateway, token: string, form: unknown) =>
  askAt(gateway, '/g/run', { method: 'POST', token, body: JSON.stringify(form) })

/** That an answer is a refusal with this code, and says so wherever one looks. */
function refuses(t: Test, { status, headers, body }: Answer, wanted: readonly [number, string]) {
  const { code, ran, reasons } = body as { code: string; ran: boolean; reasons: object[] }
  t.strictSame([status, code], wanted, JSON.stringify(reasons))
  t.equal(headers.get('refused'), wanted[1])
  t.equal(ran, false)
}

flow('a tool is run by its name, in every form', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = LIST,CREATE', 'arg CREATE.title prefix ok', 'ways = rest')
  const listed = { method: 'GET', url: '/repos/a%20b/issues?page=2', key: true, body: '' }
  const args = { owner: 'a b', page: 2 }
  for (const form of [
    { tool: 'LIST', args },
    { target: 'LIST', op: 'call', args },
    { name: 'LIST', arguments: args },
    { type: 'function', id: 'call_1', name: 'LIST', arguments: JSON.stringify(args) },
  ]) {
    const { status, headers, body } = await post(gateway, token, form)
    t.strictSame([status, body], [200, listed], JSON.stringify(form))
    const receipt = gateway.receipt(headers.get('receipt') ?? undefined)
    t.match(receipt, { door: 'rest', tool: 'LIST', envelope: { target: 'LIST', args } })
  }
  for (const text of [
    'LIST owner="a b" page=2',
    'Let me look.\n<call tool="LIST" owner="a b" page="2"/> Done.',
    "<call tool='LIST' owner='a&#x20;b' page='2'>",
  ]) {
    const { status, body } = await askAt(gateway, '/g/run', { method: 'POST', token, body: text })
    t.strictSame([status, body], [200, listed], text)
  }
  const made = await post(gateway, token, {
    tool: 'CREATE',
    args: { owner: 'a', title: 'ok "ü"\n', extra: { n: 1 }, 'if-match': '"1"' },
    control: { idempotency_key: 'once' },
    select: ['method', 'body'],
  })
  t.strictSame(made.body, { method: 'POST', body: '{"title":"ok \\"ü\\"\\n","extra":{"n":1}}' })
  t.match(made.headers.get('projected'), /^\d+->\d+$/)
})

flow('what is no call of a tool is refused before anything is sent', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = LIST,CREATE,HTTP_GET', 'arg CREATE.title prefix ok')
  const owner = 'a'
  const refused: readonly (readonly [form: unknown, status: number, code: string])[] = [
    [{ tool: 'CREATE', args: { owner, title: 'no' } }, 403, 'arg_refused'],
    [{ tool: 'SEARCH' }, 403, 'tool_not_granted'],
    [{ tool: 'NOBODY' }, 404, 'not_found'],
    [{ tool: 'LIST', args: { owner: 'search' } }, 400, 'malformed_request'],
    [{ tool: 'LIST', args: { owner: '..' } }, 400, 'malformed_request'],
    [{ tool: 'LIST', args: { owner, stray: 1 } }, 400, 'unknown_field'],
    [{ tool: 'LIST', args: { owner, page: 'x' } }, 400, 'malformed_request'],
    [{ tool: 'LIST', arguments: { owner } }, 400, 'unknown_field'],
    [{ name: 'LIST', arguments: '{"owner":"a","owner":"b"}' }, 400, 'malformed_request'],
    [
      { tool: 'CREATE', args: { owner, title: 'ok' }, control: { retries: 2 } },
      400,
      'not_supported',
    ],
    [{ tool: 'LIST', args: { owner }, control: { retries: 6 } }, 400, 'malformed_request'],
    [{ tool: 'LIST', args: { owner }, control: { detach: true } }, 400, 'not_supported'],
    [{ tool: 'LIST', args: { owner }, select: [7] }, 400, 'malformed_request'],
    [{ target: 'people', op: 'delete' }, 400, 'not_supported'],
    [{ tool: 'HTTP_GET', args: { url: 'http://169.254.169.254/' } }, 403, 'address_refused'],
    [['LIST'], 400, 'malformed_request'],
  ]
  for (const [form, status, code] of refused) {
    refuses(t, await post(gateway, token, form), [status, code])
  }
  const sent = { method: 'POST', token, body: '{"tool":' }
  refuses(t, await askAt(gateway, '/g/run', sent), [400, 'malformed_request'])
  const large = { ...sent, body: JSON.stringify({ tool: 'LIST', args: 'x'.repeat(65_536) }) }
  refuses(t, await askAt(gateway, '/g/run', large), [413, 'too_large'])
  for (const body of ['hello', 'LIST owner=a page', '<call tool="LIST"/><call tool="LIST"/>', ''])
    refuses(t, await askAt(gateway, '/g/run', { ...sent, body }), [400, 'malformed_request'])
  refuses(t, await askAt(gateway, '/g/run', { token }), [405, 'method_not_allowed'])
  const forged = { ...sent, token: FORGED }
  refuses(t, await askAt(gateway, '/g/run', forged), [401, 'token_forged'])
  refuses(t, await askAt(gateway, '/g/run', { method: 'POST', body: '{}' }), [401, 'token_missing'])
  const elsewhere = gateway.mint('tools = *', 'ways = proxy')
  const form = { tool: 'LIST', args: { owner } }
  refuses(t, await post(gateway, elsewhere, form), [403, 'way_not_granted'])
  const slow = { tool: 'LIST', args: { owner: 'slow' }, control: { timeout_ms: 300 } }
  const late = await post(gateway, token, slow)
  t.match(late, { status: 504, body: { code: 'upstream_timeout' } })
  t.strictSame(gateway.upstreams.arrived, ['GET /repos/slow/issues'])
})

flow('a link runs a tool that changes nothing, and no other', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = LIST,CREATE,STORE_*', 'ways = link')
  const at = (rest: string, init: RequestInit = {}) =>
    askAt(gateway, `/g/${token}/run/${rest}`, init)
  const link = 'LIST?owner=a+b&page=2&labels=x&labels=y%26z'
  const got = await at(link)
  t.match(got, {
    status: 200,
    body: { url: '/repos/a%20b/issues?page=2&labels=x&labels=y%26z', key: true },
  })
  t.equal(got.headers.get('cache-control'), 'no-store')
  t.equal(got.headers.get('referrer-policy'), 'no-referrer')
  const receipt = gateway.receipt(got.headers.get('receipt') ?? undefined)
  t.match(receipt, { door: 'link', envelope: { args: { labels: ['x', 'y&z'], page: 2 } } })
  refuses(t, await at('CREATE?owner=a&title=b'), [405, 'method_not_allowed'])
  const made = await at('CREATE?owner=a&title=b&extra=%7B%22n%22%3A1%7D', { method: 'POST' })
  t.match(made, { status: 200, body: { body: '{"title":"b","extra":{"n":1}}' } })
  refuses(t, await at('LIST?owner=a&page=x'), [400, 'malformed_request'])
  refuses(t, await at('CREATE?owner=a&extra=%7B', { method: 'POST' }), [400, 'malformed_request'])
  refuses(t, await at('NOBODY'), [404, 'not_found'])
  refuses(t, await at(''), [404, 'not_found'])
  const other = gateway.mint('tools = LIST', 'ways = rest')
  refuses(t, await askAt(gateway, `/g/${other}/run/${link}`), [403, 'way_not_granted'])
  refuses(t, await askAt(gateway, `/g/${FORGED}/run/${link}`), [401, 'token_forged'])
  for (const wrong of [`/g/${token}/walk/LIST`, `/g/${token}`, `/g/${token}/run`]) {
    const answer = await askAt(gateway, wrong)
    t.equal(answer.status >= 400, true)
    t.notOk(JSON.stringify(answer.body).includes(token), 'the token is not told again')
  }
  const records = JSON.stringify(gateway.records())
  t.notOk(records.includes(token.slice(0, 60)), 'no token is written down')
  t.match(await at('STORE_LIST?bucket=default'), { status: 200, body: { objects: [] } })
})

import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { createClient, serverAudits } from 'graphql-http'
import { default as t, type Test } from 'tap'
import { unsafeReadToken } from '../../policy/index.ts'
import { eventually, flowIn, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

const ROWS: Setup['rows'] = [
  {
    name: 'LIST',
    method: 'GET',
    path: '/lists/{owner}',
    summary: 'Lists what an owner has.',
    args: {
      properties: {
        owner: { in: 'path', type: 'string', required: true, description: 'Whose.' },
        page: { in: 'query', type: 'integer' },
        'per-page': { in: 'query', type: 'integer' },
        labels: { in: 'query', type: 'array' },
        whole: { in: 'query', type: 'boolean' },
        share: { in: 'query', type: 'number' },
      },
    },
  },
  {
    name: 'MAKE',
    method: 'POST',
    path: '/made',
    body: 'open',
    args: {
      properties: { title: { in: 'body', type: 'string', required: true }, extra: { in: 'body' } },
    },
  },
  { name: 'OTHER', method: 'GET', path: '/other' },
]

let under = 0
let most = 0

const SETUP: Setup = {
  rows: ROWS,
  config: { doors: { graphql: true }, limits: { judged_body_bytes: 1_000_000 } },
  async serve(req, res) {
    const { method, url } = req
    if (url?.startsWith('/lists/slow') === true) {
      under += 1
      most = Math.max(most, under)
      await new Promise((resolve) => setTimeout(resolve, 20))
      under -= 1
    }
    if (url === '/lists/text') return void res.end('a "text"')
    if (url === '/lists/big') {
      res.writeHead(200, { 'content-type': 'application/json' })
      return void res.end('{"id":12345678901234567890}')
    }
    const body = (await bodyOf(req)).toString()
    const status = url === '/lists/nobody' ? 404 : 200
    answerJson(res, { method, url, body, key: req.headers['idempotency-key'] }, status)
  },
}

interface Result {
  readonly data?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null
  readonly errors?: readonly { readonly message: string; readonly extensions?: object }[]
}

interface Asked {
  readonly token: string
  readonly variables?: object
  readonly accept?: string
}

async function post(gateway: TestGateway, query: string, { token, variables, accept }: Asked) {
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(accept === undefined ? {} : { accept }),
    },
    body: JSON.stringify({ query, variables }),
  })
  const text = await answer.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Result & { readonly code?: string }
  return { status: answer.status, headers: answer.headers, text, ...body }
}

await t.test('GraphQL over HTTP', async (t) => {
  await flowIn(t, SETUP, async (t, gateway) => {
    await t.test('every audit of the specification', (t) => audited(t, gateway))
    await t.test('the schema is what the token could call', (t) => introspected(t, gateway))
    await t.test('each field is a call', (t) => called(t, gateway))
    await t.test('what a document may ask for has bounds', (t) => bounded(t, gateway))
    await t.test('who may not gets no answer of the schema', (t) => refused(t, gateway))
    await t.test('a client of GraphQL', (t) => client(t, gateway))
  })
})

await t.test('the door is closed until it is opened', async (t) => {
  await flowIn(t, { rows: ROWS }, async (t, gateway) => {
    const token = gateway.mint('tools = *')
    const closed = await post(gateway, '{ __typename }', { token })
    t.match(closed, { status: 404, code: 'door_closed' })
    t.match(closed.text, /doors: \{graphql: true\}/)
    const hook = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/${token}/hook/MAKE`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    t.strictSame([hook.status, hook.headers.get('refused')], [404, 'door_closed'])
    t.match(await hook.text(), /doors: \{webhook: true\}/)
    t.strictSame(
      (await gateway.receipts()).map(({ code }) => code),
      ['door_closed', 'door_closed'],
    )
  })
})

async function audited(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = *')
  const audits = serverAudits({ url: `http://127.0.0.1:${gateway.proxyPort}/g/${token}/graphql` })
  t.equal(audits.length, 61)
  const results = await Promise.all(audits.map((audit) => audit.fn()))
  const bad = results.flatMap((result) =>
    result.status === 'ok' ? [] : [`${result.id} ${result.name}: ${result.reason}`],
  )
  t.strictSame(bad, [])
}

async function introspected(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = LIST,MAKE')
  const { data } = await post(gateway, getIntrospectionQuery(), { token })
  const schema = buildClientSchema(data as unknown as IntrospectionQuery)
  const list = schema.getQueryType()?.getFields()['LIST']
  t.equal(list?.description, 'Lists what an owner has.')
  t.strictSame(Object.fromEntries(list?.args.map(({ name, type }) => [name, String(type)]) ?? []), {
    owner: 'String!',
    page: 'Integer',
    per_page: 'Integer',
    labels: '[JSON]',
    whole: 'Boolean',
    share: 'Float',
    _select: '[String!]',
    _want: 'JSON',
    _control: 'JSON',
  })
  t.match(list?.args.find(({ name }) => name === 'per_page')?.description, '`per-page`')
  t.strictSame(Object.keys(schema.getQueryType()?.getFields() ?? {}), ['LIST', '_tools'])
  t.strictSame(Object.keys(schema.getMutationType()?.getFields() ?? {}), ['MAKE'])
  const none = await post(gateway, '{ _tools __schema { mutationType { name } } }', {
    token: gateway.mint('tools = NONE'),
  })
  t.match(none.data, { _tools: 0, __schema: { mutationType: null } })
}

async function called(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = LIST,MAKE', 'arg LIST.owner prefix a', 'ways = rest')
  const all = gateway.mint('tools = LIST,MAKE')
  const query = `query ($n: Integer, $label: JSON) {
    first: LIST(owner: "a b", page: $n, per_page: 3, labels: ["x", $label]) { ok status output receipt }
    second: LIST(owner: "an", whole: true, share: 0.5, _select: ["url"]) { output }
    third: LIST(owner: "b") { ok }
  }`
  const { data, errors } = await post(gateway, query, {
    token,
    variables: { n: 9_007_199_254_740_991, label: 7 },
  })
  const url = '/lists/a%20b?page=9007199254740991&per-page=3&labels=x&labels=7'
  t.match(data?.['first'], { ok: true, status: 200, output: { method: 'GET', url, body: '' } })
  t.strictSame(data?.['second'], { output: { url: '/lists/an?whole=true&share=0.5' } })
  t.equal(data?.['third'], null)
  t.match(errors, [{ path: ['third'], extensions: { code: 'arg_refused', ran: false } }])
  const receipt = gateway.receipt(data?.['first']?.['receipt'] as string)
  t.match(receipt, { door: 'rest', tool: 'LIST', outcome: 'allowed' })
  const refusedId = (errors?.[0]?.extensions as { receipt?: string } | undefined)?.receipt
  t.match(gateway.receipt(refusedId), { outcome: 'refused', code: 'arg_refused' })
  const made = await post(
    gateway,
    `mutation { MAKE(title: "ü\\n", extra: {n: [1, null, {deep: 1.50}]}, _more: {other: 12345678901234567890},
      _control: {idempotency_key: "once"}, _want: {select: ["body", "key"]}) { output } }`,
    { token: all },
  )
  const output = made.data?.['MAKE']?.['output'] as { body: string; key: string }
  t.equal(
    output.body,
    '{"other":12345678901234567890,"title":"ü\\n","extra":{"n":[1,null,{"deep":1.5}]}}',
  )
  t.equal(output.key, 'once')
  const odd = await post(
    gateway,
    '{ no: LIST(owner: "nobody") { ok status } text: LIST(owner: "text") { output } big: LIST(owner: "big") { output } }',
    { token: all },
  )
  t.match(odd.data, { no: { ok: false, status: 404 }, text: { output: 'a "text"' } })
  t.match(odd.text, '"output":{"id":12345678901234567890}', 'digits are kept')
  const bad = await post(gateway, '{ LIST(owner: "a", _want: {shape: 1}) { ok } }', { token })
  t.match(bad.errors, [{ extensions: { code: 'unknown_field' } }])
  for (const argument of ['page: 1.5', 'page: "1"', 'page: $n']) {
    const declared = argument.includes('$') ? 'query ($n: Integer)' : ''
    const { data } = await post(gateway, `${declared} { LIST(owner: "a", ${argument}) { ok } }`, {
      token,
      variables: { n: 'x' },
    })
    t.equal(data, undefined, argument)
  }
}

async function bounded(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = LIST')
  const fields = (count: number, field: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => field(at)).join(' ')
  const call = (at: number) => `a${at}: LIST(owner: "slow") { ok }`
  const before = gateway.upstreams.arrived.length
  const begun = performance.now()
  for (const query of [
    `{ ${fields(201, call)} }`,
    `{ ${fields(21, () => `...F`)} } fragment F on Query { ${fields(10, call)} }`,
    `{ ...F } fragment F on Query { a: _tools ...F }`,
    `{ __schema { types { ${'ofType { '.repeat(30)} name ${'} '.repeat(30)} } } }`,
    `{ LIST(owner: "a") { ${'ok '.repeat(2001)} } }`,
    `{ LIST(owner: "${'a'.repeat(262_144)}") { ok } }`,
    `{ ${'a '.repeat(20_001)} }`,
    `{ ${'__schema { types { fields { type { fields { type { fields { name } } } } } } } '} }`,
  ]) {
    const accept = 'application/graphql-response+json'
    const { status, errors, headers } = await post(gateway, query, { token, accept })
    t.equal(status, 400, errors?.[0]?.message ?? query.slice(0, 40))
    t.equal(headers.get('refused'), 'malformed_request')
    t.match(gateway.receipt(headers.get('receipt') ?? ''), { outcome: 'refused' }, 'a receipt')
  }
  t.ok(performance.now() - begun < 10_000, 'they cost little')
  t.equal(gateway.upstreams.arrived.length, before, 'nothing was called')
  const many = await post(gateway, `{ ${fields(200, call)} }`, { token })
  t.equal(Object.values(many.data ?? {}).filter((answer) => answer?.['ok'] === true).length, 200)
  t.equal(most, 16, 'as many as of a batch at once')
  const large = await post(gateway, `{ LIST(owner: "${'a'.repeat(1_000_000)}") { ok } }`, { token })
  t.match(large, { status: 413, code: 'too_large' })
}

async function refused(t: Test, gateway: TestGateway): Promise<void> {
  const ask = async (token: string) => {
    const { status, headers } = await post(gateway, '{ OTHER { ok } }', { token })
    return [status, headers.get('refused')]
  }
  const revoked = gateway.mint('tools = *')
  gateway.revoke(unsafeReadToken(revoked).id)
  t.strictSame(await ask(`${revoked}A`), [401, 'token_malformed'])
  t.strictSame(await ask(gateway.mint('tools = *', 'ways = link')), [403, 'way_not_granted'])
  t.strictSame(await ask(gateway.mint('expires < 2020-01-01T00:00:00Z')), [403, 'expired'])
  t.ok(await eventually(async () => (await ask(revoked))[1] === 'revoked'))
  t.strictSame(await ask(revoked), [403, 'revoked'])
  const hidden = await post(gateway, '{ OTHER { ok } }', { token: gateway.mint('tools = LIST') })
  t.match(hidden.errors, [{ message: /Cannot query field "OTHER"/ }])
  const token = gateway.mint('tools = *')
  const get = `http://127.0.0.1:${gateway.proxyPort}/g/${token}/graphql?query=`
  const mutation = await fetch(get + encodeURIComponent('mutation { MAKE(title: "a") { ok } }'))
  t.equal(mutation.status, 405, 'what changes something is posted')
  const read = await fetch(get + encodeURIComponent('{ OTHER { output } }'))
  t.match(await read.json(), { data: { OTHER: { output: { url: '/other' } } } })
  t.equal(read.headers.get('referrer-policy'), 'no-referrer')
}

async function client(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = OTHER')
  const graph = createClient({ url: `http://127.0.0.1:${gateway.proxyPort}/g/${token}/graphql` })
  const result = await new Promise((resolve, reject) =>
    graph.subscribe(
      { query: '{ OTHER { ok receipt } }' },
      { next: resolve, error: reject, complete: () => {} },
    ),
  )
  t.match(result, { data: { OTHER: { ok: true, receipt: /^[0-9a-f-]{36}$/ } } })
}

import t from 'tap'
import {
  envelopeOfHttp,
  genericTool,
  type JsonBody,
  parseJsonBody,
  type Tool,
} from '../../../catalog/index.ts'

const origin = { scheme: 'https', host: 'api.example', port: 443 } as const
const tool: Tool = {
  name: 'ISSUES',
  summary: '',
  scheme: 'https',
  host: 'api.example',
  method: 'GET',
  path: '/r/{owner}',
  args: {
    properties: {
      owner: { in: 'path', type: 'string' },
      page: { in: 'query', type: 'integer' },
      rate: { in: 'query', type: 'number' },
      open: { in: 'query', type: 'boolean' },
      label: { in: 'query', type: 'array' },
      'x-version': { in: 'header', type: 'integer' },
    },
  },
}
const call = (query: string, body?: unknown) =>
  envelopeOfHttp({
    tool,
    params: { owner: 'a' },
    origin,
    path: `/r/a${query}`,
    ...(body !== undefined && { body }),
  })

t.test(
  'path, query, header and body become arguments, of the types that the row gives',
  async (t) => {
    const read = envelopeOfHttp({
      tool,
      params: { owner: 'a' },
      origin,
      path: '/r/a?page=2&rate=1.5&open=true&label=x&q=1&q=2',
      body: { title: 't', deep: { a: [1] } },
      header: (name) => (name === 'x-version' ? '3' : undefined),
    })
    t.strictSame(read, {
      ok: true,
      envelope: {
        target: 'ISSUES',
        op: 'call',
        args: {
          owner: 'a',
          page: 2,
          rate: 1.5,
          open: true,
          label: ['x'],
          q: ['1', '2'],
          'x-version': 3,
          title: 't',
          deep: { a: [1] },
        },
      },
    })
    const { deep } = (read.ok ? read.envelope.args : undefined) as {
      readonly deep: { readonly a: unknown }
    }
    t.ok(Object.isFrozen(deep.a), 'what was checked cannot change')
  },
)

t.test('what is not of its type is a problem', async (t) => {
  for (const query of [
    '?page=02',
    '?page=1e3',
    '?page=+1',
    '?page=',
    '?page=-0',
    '?page=1&page=2',
    '?rate=0x1',
    '?rate=.5',
    '?open=True',
    '?open=1',
  ]) {
    t.match(
      call(query),
      { ok: false, problems: [{ code: 'malformed_request', path: /^args\./ }] },
      query,
    )
  }
})

t.test('a number that no double holds stays as it is written', async (t) => {
  for (const [query, name, text] of [
    ['?page=9007199254740993', 'page', '9007199254740993'],
    ['?rate=1.00000000000000001', 'rate', '1.00000000000000001'],
    ['?rate=-1e999', 'rate', '-1e999'],
  ] as const) {
    const read = call(query)
    const args = JSON.parse(JSON.stringify(read.ok ? read.envelope.args : {}))
    t.strictSame(args[name], { number: text }, query)
  }
  t.match(call('?rate=1.50'), { envelope: { args: { rate: 1.5 } } })
})

t.test('an argument that is said twice must be said alike', async (t) => {
  t.match(call('?owner=b'), { ok: false, problems: [{ path: 'args.owner' }] })
  t.match(call('', { owner: 'b' }), { ok: false })
  t.match(call('?page=1', { page: { a: 1 } }), { ok: false })
  t.match(call('?page=1', { page: 1 }), { ok: true })
  const { value } = parseJsonBody(Buffer.from('{"page":9007199254740993}')) as JsonBody
  t.match(call('?page=9007199254740993', value), { ok: true })
  t.match(call('?page=9007199254740992', value), { ok: false, problems: [{ path: 'args.page' }] })
})

t.test('a body that is no object is one argument', async (t) => {
  t.match(call('', [1]), { envelope: { args: { body: [1] } } })
  t.match(call('', null), { envelope: { args: { body: null } } })
  const { value } = parseJsonBody(Buffer.from('9007199254740993')) as JsonBody
  t.equal(JSON.stringify(call('', value)).includes('"body":{"number":"9007199254740993"}'), true)
})

t.test('names that JavaScript gives a meaning are names', async (t) => {
  const read = call('?constructor=1&__proto__=2', JSON.parse('{"hasOwnProperty":3}'))
  t.ok(read.ok)
  if (read.ok)
    t.strictSame(Object.keys(read.envelope.args ?? {}), [
      'owner',
      'constructor',
      '__proto__',
      'hasOwnProperty',
    ])
})

t.test('a generic call says where it goes', async (t) => {
  t.strictSame(
    envelopeOfHttp({
      tool: genericTool('POST'),
      origin: { ...origin, host: '::1', port: 8443 },
      path: '/a%2Fb?x=1&x=2',
      body: { secret: 1 },
    }),
    {
      ok: true,
      envelope: {
        target: 'HTTP_POST',
        op: 'call',
        args: {
          host: '::1',
          port: 8443,
          url_path: '/a%2Fb',
          query: { x: ['1', '2'] },
          url: 'https://[::1]:8443/a%2Fb?x=1&x=2',
        },
      },
    },
  )
  t.match(envelopeOfHttp({ tool: genericTool('GET'), origin, path: '/' }), {
    envelope: { args: { url: 'https://api.example/' } },
  })
  t.match(envelopeOfHttp({ tool: genericTool('GET'), origin, path: '/../a' }), {
    ok: false,
    problems: [{ path: 'path' }],
  })
})

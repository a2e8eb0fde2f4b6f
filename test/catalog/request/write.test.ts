import t from 'tap'
import {
  genericTool,
  parseJsonBody,
  requestOfCall,
  type ArgSchema,
  type Tool,
} from '../../../catalog/index.ts'
import { rowWith } from './rig.ts'

const properties: Readonly<Record<string, ArgSchema>> = {
  owner: { in: 'path', type: 'string', required: true },
  page: { in: 'query', type: 'integer' },
  label: { in: 'query', type: 'array' },
  'if-match': { in: 'header', type: 'string' },
  title: { in: 'body', type: 'string' },
}
const row = rowWith({ method: 'POST', path: '/repos/{owner}/issues', args: { properties } })

const problemsOf = (tool: Tool, args: Readonly<Record<string, unknown>>) => {
  const written = requestOfCall(tool, args)
  return written.ok ? [] : written.problems.map(({ code, path, got }) => `${code} ${path} ${got}`)
}

t.test('each argument is written into its place', async (t) => {
  const args = { owner: 'a/b ü', page: 2, label: ['x&y', "it's"], 'if-match': '"1"', title: 'ü' }
  t.strictSame(requestOfCall(row, args), {
    ok: true,
    request: {
      method: 'POST',
      origin: { scheme: 'https', host: 'api.example.com', port: 443 },
      path: '/repos/a%2Fb%20%C3%BC/issues?page=2&label=x%26y&label=it%27s',
      headers: ['if-match', '"1"'],
      body: '{"title":"ü"}',
    },
  })
  t.match(requestOfCall(row, { owner: 'a' }), { ok: true, request: { body: undefined } })
})

t.test('a number stands in the body as it was written', async (t) => {
  const parsed = parseJsonBody(
    Buffer.from('{"owner":"a","title":[12345678901234567890,{"x":1.50}]}'),
  )
  if (!parsed.ok) throw new Error(parsed.reason)
  t.match(requestOfCall(row, parsed.value as Record<string, unknown>), {
    request: { body: '{"title":[12345678901234567890,{"x":1.5}]}' },
  })
})

t.test('a body may be one argument, or have fields that are not named', async (t) => {
  const whole = rowWith({
    method: 'POST',
    body: 'whole',
    args: { properties: { body: { in: 'body' } } },
  })
  t.match(requestOfCall(whole, { body: [1, null] }), { request: { body: '[1,null]' } })
  t.match(requestOfCall(whole, { body: {} }), { request: { body: '{}' } })
  const open = rowWith({ method: 'POST', body: 'open' })
  t.match(requestOfCall(open, { any: { x: 1 } }), { request: { body: '{"any":{"x":1}}' } })
})

t.test('what cannot be written is named, all of it', async (t) => {
  t.strictSame(problemsOf(row, { page: {}, 'if-match': 'a\r\nb', stray: 1 }), [
    'unknown_field args.stray stray',
    'malformed_request args.owner nothing',
    'malformed_request args.page an object',
    'malformed_request args.if-match "a\\r\\nb"',
  ])
  for (const owner of ['', '.', '..', 'a\\b', '\u0000', '..;x', '%2e%2e', '\ud800', null, [], {}])
    t.equal(problemsOf(row, { owner }).length > 0, true, JSON.stringify(owner))
  t.strictSame(problemsOf(rowWith({ host: '*.example.com' }), {}), [
    'not_supported target "EXAMPLE_CALL"',
  ])
  t.strictSame(problemsOf(rowWith({}), JSON.parse('{"__proto__":1,"toString":2}')), [
    'malformed_request args.__proto__ 1',
    'malformed_request args.toString 2',
  ])
})

t.test('a generic call is its address', async (t) => {
  const get = genericTool('GET')
  t.match(requestOfCall(get, { url: 'https://api.example.com:8443/a?b=c', port: 8443 }), {
    request: {
      method: 'GET',
      origin: { scheme: 'https', host: 'api.example.com', port: 8443 },
      path: '/a?b=c',
    },
  })
  t.strictSame(problemsOf(get, { url: 'https://api.example.com/', host: 'other.example' }), [
    'malformed_request args.host "other.example"',
  ])
  t.strictSame(problemsOf(get, { url: 'ftp://x/' }), ['malformed_request args.url "ftp://x/"'])
  t.strictSame(problemsOf(get, { x: 1 }), [
    'unknown_field args.x x',
    'malformed_request args.url nothing',
  ])
})

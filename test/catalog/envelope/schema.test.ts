import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { parseCatalogYaml, parseEnvelope } from '../../../catalog/index.ts'

const ajv = new Ajv2020({ allowUnionTypes: true })
const schema = (name: string) =>
  ajv.compile(
    JSON.parse(
      readFileSync(new URL(`../../../catalog/${name}.schema.json`, import.meta.url), 'utf8'),
    ) as object,
  )

t.test('the envelope’s schema and its parser agree', async (t) => {
  const validate = schema('envelope')
  const call = { target: 'A', op: 'call' }
  const examples = [
    call,
    {},
    [],
    { ...call, foo: 1 },
    { ...call, args: [] },
    { target: 'ledger', op: 'call' },
    { target: 'ledger', op: 'list' },
    { target: 'A', op: 'get' },
    { target: 'ledger', op: 'list', args: {} },
    { target: 'a', op: 'call' },
    ...[
      [],
      ['a.b', '-c', '*', 'x[].y[][]', '-*.z'],
      ['a..b'],
      ['a['],
      [''],
      ['a,b'],
      ['a*'],
      [1],
      'a',
    ].map((select) => ({ ...call, select })),
    ...[['-a', 'b[].c'], ['*'], ['--']].map((order) => ({ ...call, order })),
    ...[
      { a: 1 },
      { a: null },
      { a: [1] },
      { a: { eq: 1, ne: 'x' } },
      { a: { like: 1 } },
      { a: { lt: true } },
      { 'a.*': 1 },
      { and: [{ a: 1 }] },
      { and: {} },
      { not: { b: { in: [1, 'x'] } } },
      { not: 1 },
      { a: { in: 1 } },
      { a: { exists: 'x' } },
    ].map((where) => ({ ...call, where })),
    ...[
      { limit: 1 },
      { limit: 0 },
      { limit: 10_001 },
      { limit: 1.5 },
      { cursor: 1 },
      { size: 1 },
    ].map((page) => ({ ...call, page })),
    ...[
      { shape: 'rows' },
      { shape: 'x' },
      { aggregate: { count: true, p95: ['a'], by: ['b'] } },
      { aggregate: { p90: ['a'] } },
      { aggregate: { sum: 'a' } },
      { format: 'xml' },
      { max_bytes: 0 },
    ].map((want) => ({ ...call, want })),
    ...[
      { timeout_ms: 1 },
      { timeout_ms: 0 },
      { retries: 11 },
      { dry_run: 1 },
      { idempotency_key: '' },
      { idempotency_key: 'a b' },
      { detach: true },
    ].map((control) => ({ ...call, control })),
  ]
  const wrong = examples.filter(
    (example) => validate(example) !== parseEnvelope(JSON.parse(JSON.stringify(example))).ok,
  )
  t.same(wrong, [])
})

t.test('so do those of a catalog file', async (t) => {
  const validate = schema('catalog')
  const row = { name: 'A', summary: 's', host: 'h.example', method: 'GET', path: '/a/{b}' }
  const variants = [
    {},
    { foo: 1 },
    { name: 'a' },
    { name: 'A'.repeat(129) },
    { host: 'H.example' },
    { host: '*.example' },
    { host: 5 },
    { method: 'get' },
    { method: 'M-SEARCH' },
    { scheme: 'ftp' },
    { scheme: 'http', port: 80 },
    { port: 0 },
    { port: '1' },
    { path: 'a' },
    { path: '/' },
    { path: '//a' },
    { path: '/a/../b' },
    { path: '/a?x' },
    { path: '/a{b}' },
    { path: '/{b' },
    { path: '/a{b}.c' },
    { path: '/{a}{b}' },
    { path: '/{a}-{b}' },
    { path: '/{a}..' },
    { path: '/..{a}' },
    { path: '/a%2f' },
    { path: '/{a}/{b}/c' },
    { path: '/a b' },
    { path: '/a\\b' },
    { path: '/...' },
    { path: '/.' },
    { key: '' },
    { key: 'k' },
    { want: { select: ['a'] } },
    { want: { selec: ['a'] } },
    { only: [] },
    { only: ['a', '-b'] },
    { only: ['a..b'] },
    { rows: 'a.b' },
    { rows: 'a[]' },
    { rows: '*' },
    { paths: { mark: ['x'] } },
    { paths: { mark: 'x' } },
    { paths: { foo: [] } },
    { runs: 'code' },
    { runs: 'x' },
    { model: 'a.b' },
    { model: '' },
    { keep: 'hash' },
    { keep: 'all' },
    { args: {} },
    { args: { properties: { b: { in: 'path', type: 'integer' }, c: { in: 'query' } } } },
    { args: { properties: { c: {} } } },
    { args: { properties: { c: { in: 'cookie' } } } },
    { args: { c: 1 } },
    { summary: 1 },
    { body: 'form' },
    { body: 'multipart' },
    { body: 'form', args: { properties: { c: { in: 'body', type: 'object', style: 'deep' } } } },
    { body: 'form', args: { properties: { c: { in: 'body', type: 'array', style: 'dots' } } } },
  ]
  const files = [
    ...variants.map((variant) => ({ tools: [{ ...row, ...variant }] })),
    {},
    { tools: {} },
    { tools: [], more: 1 },
    { tools: [{}] },
    { tools: [] },
  ]
  const wrong = files.filter(
    (file) =>
      validate(file) !== (parseCatalogYaml(JSON.stringify(file), 'f').problems.length === 0),
  )
  t.same(wrong, [])
})

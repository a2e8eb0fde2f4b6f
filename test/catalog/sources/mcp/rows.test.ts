import fc from 'fast-check'
import { default as t } from 'tap'
import { envelopeOfHttp, requestOfCall, rowsOfMcp, type Tool } from '../../../../catalog/index.ts'
import { ROW_NAME } from '../../../../catalog/envelope.ts'

const SOURCE = { server: 'tracker', prefix: 'TRACKER', host: 'mcp.narrowgate.invalid' }
const of = (...listed: readonly unknown[]) => rowsOfMcp(listed, SOURCE)
const only = (...listed: readonly unknown[]): Tool => of(...listed).tools[0]!
const tool = (name: unknown, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
})

t.test('a tool is a row', async (t) => {
  const row = only({
    name: 'create-issue',
    title: 'Create',
    description: '\n  Opens an issue.\nMore of it.',
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Its title', minLength: 1 },
        labels: { type: ['array', 'null'], items: { type: 'string' } },
        kind: { enum: ['bug', 'idea'] },
        priority: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
        either: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/other' }] },
      },
      required: ['title'],
    },
    annotations: { readOnlyHint: true },
  })
  t.strictSame(row, {
    name: 'TRACKER_CREATE_ISSUE',
    summary: 'Opens an issue.',
    scheme: 'http',
    host: 'mcp.narrowgate.invalid',
    method: 'POST',
    path: '/tracker/create-issue',
    args: {
      properties: {
        title: { in: 'body', type: 'string', required: true, description: 'Its title' },
        labels: { in: 'body', type: 'array' },
        kind: { in: 'body', enum: ['bug', 'idea'] },
        priority: { in: 'body', type: 'integer' },
        either: { in: 'body' },
      },
    },
    reads: true,
    mcp: { server: 'tracker', tool: 'create-issue' },
  })
  t.equal(only(tool('a', { annotations: { readOnlyHint: 'yes' } })).reads, undefined)
})

t.test(
  'arguments that a schema does not name are let through where it may have them',
  async (t) => {
    const bodyOf = (inputSchema: unknown) => only({ name: 'a', inputSchema }).body
    t.equal(bodyOf({ type: 'object', properties: {} }), undefined)
    t.equal(bodyOf({ type: 'object', additionalProperties: false }), undefined)
    for (const open of [
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', patternProperties: { a: {} } },
      { type: 'object', anyOf: [] },
      { $ref: '#/$defs/a' },
      {},
      undefined,
      'text',
    ])
      t.equal(bodyOf(open), 'open', JSON.stringify(open))
  },
)

t.test('names do not depend on order, nor pass from one tool to another', async (t) => {
  const namesOf = (...names: readonly string[]) =>
    new Map(of(...names.map((name) => tool(name))).tools.map((row) => [row.mcp?.tool, row.name]))
  const both = namesOf('get-user', 'get_user', 'other')
  t.match(both.get('get-user'), /^TRACKER_GET_USER_[0-9A-F]{8}$/)
  t.match(both.get('get_user'), /^TRACKER_GET_USER_[0-9A-F]{8}$/)
  t.not(both.get('get-user'), both.get('get_user'))
  t.strictSame(namesOf('other', 'get_user', 'get-user').get('get-user'), both.get('get-user'))
  t.equal(namesOf('get-user').get('get-user'), 'TRACKER_GET_USER')
  t.match(namesOf('検索').get('検索'), /^TRACKER_[0-9A-F]{8}$/)
  t.match(of(tool('get-user'), tool('get_user')).notes, [
    { at: 'get-user', why: /^named TRACKER_GET_USER_.*as TRACKER_GET_USER is not its alone$/ },
    { at: 'get_user' },
  ])
})

t.test('what a hostile server lists is skipped or cut, and named', async (t) => {
  const cyclic = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }
  const many = Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`a${at}`, {}]))
  const { tools, skipped, notes } = of(
    null,
    'text',
    tool(undefined),
    tool(''),
    tool('x'.repeat(129)),
    tool('a\u0000b'),
    tool('a\u202eb'),
    tool('\ud800'),
    tool('twice'),
    tool('twice'),
    tool('many', { inputSchema: { type: 'object', properties: many } }),
    tool('proto', { inputSchema: JSON.parse('{"properties":{"__proto__":{}},"type":"object"}') }),
    tool('needs', { inputSchema: { properties: { 'a\nb': {} }, required: ['a\nb'] } }),
    tool('cyclic', { inputSchema: { type: 'object', properties: { a: cyclic } } }),
    tool('long', { description: `\u0007${'y'.repeat(1_000_000)}` }),
    tool('TWICE'),
  )
  t.strictSame(
    tools.map(({ mcp }) => mcp?.tool),
    ['twice', 'proto', 'cyclic', 'long', 'TWICE'],
  )
  t.match(skipped, [
    { at: 'tool 1', why: 'it is no object' },
    { at: 'tool 2', why: 'it is no object' },
    { at: 'tool 3', why: 'it has no name' },
    { at: 'tool 4', why: 'it has no name' },
    { at: /^tool 5 \(x{127}…\)$/, why: 'its name has more than 128 characters' },
    { at: 'tool 6 (a b)', why: 'its name has characters that cannot be seen' },
    { at: 'tool 7 (a b)' },
    { at: 'tool 8', why: 'its name has characters that cannot be seen' },
    { at: 'tool 10 (twice)', why: 'the server lists this name before' },
    { at: 'many', why: 'it has more than 256 arguments' },
    { at: 'needs', why: 'it needs the argument a, whose name is none' },
  ])
  t.equal(tools[1]?.args.properties['__proto__'], Object.prototype)
  t.match(notes, [{ at: 'twice' }, { at: 'TWICE' }, { at: 'proto', why: /__proto__ is left out/ }])
  const long = tools.find((row) => row.mcp?.tool === 'long')
  t.match(long?.summary, /^y{199}…$/)
  t.ok(JSON.stringify(tools).length < 4_000)
})

t.test('property: whatever is listed, every row has a name and a path of its own', async () => {
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[aA_-]{1,4}$/))
  fc.assert(
    fc.property(fc.array(fc.record({ name, inputSchema: fc.json().map(JSON.parse) })), (listed) => {
      const { tools, skipped } = rowsOfMcp(listed, SOURCE)
      const all = (pick: (row: Tool) => string) => new Set(tools.map(pick)).size === tools.length
      return (
        tools.length + skipped.length === listed.length &&
        tools.every((row) => ROW_NAME.test(row.name) && row.name.startsWith('TRACKER_')) &&
        all((row) => row.name) &&
        all((row) => row.path) &&
        tools.every(isWritten)
      )
    }),
  )
})

/** A call of it becomes a request that reads as the same call. */
function isWritten(row: Tool): boolean {
  const args = Object.fromEntries(Object.keys(row.args.properties).map((name) => [name, name]))
  const written = requestOfCall(row, args)
  if (!written.ok) return false
  const { origin, path, body } = written.request
  const read = envelopeOfHttp({
    tool: row,
    params: {},
    origin,
    path,
    body: body === undefined ? undefined : JSON.parse(body),
    header: () => undefined,
  })
  return read.ok || Object.values(row.args.properties).some(({ type }) => type !== undefined)
}

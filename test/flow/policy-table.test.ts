import { ERRORS } from '../../gateway/errors.ts'
import type { ErrorCode } from '../../gateway/errors.ts'
import { eventually, flow, rowName } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'
import type { Shape } from '../helpers/shapes.ts'

// One table of verdicts, walked in every shape: what is judged must not depend on how it came over the wire.

interface Verdict {
  readonly lines: readonly string[]
  readonly is: 'allowed' | ErrorCode
  readonly method?: string
  readonly path?: string
  readonly json?: unknown
}

const ROWS: Setup['rows'] = [
  {
    name: 'ITEM',
    method: 'GET',
    path: '/items/{id}',
    args: {
      properties: {
        id: { in: 'path', type: 'integer' },
        dir: { in: 'query', type: 'string' },
        deep: { in: 'query', type: 'boolean' },
      },
    },
  },
  {
    name: 'WRITE',
    method: 'POST',
    path: '/items',
    args: {
      properties: { path: { in: 'body', type: 'string' }, tags: { in: 'body', type: 'array' } },
    },
  },
  {
    name: 'CHAT',
    method: 'POST',
    path: '/chat',
    model: 'model',
    args: { properties: { model: { in: 'body', type: 'string' } } },
  },
  { name: 'PING', method: 'GET', path: '/ping' },
]

const PAST = 'expires < 2020-01-01T00:00:00Z'
const FUTURE = 'expires < 2099-01-01T00:00:00Z'
const ITEM = { path: '/items/5' }
const write = (json: unknown) => ({ method: 'POST', path: '/items', json })
const chat = (model: string) => ({ method: 'POST', path: '/chat', json: { model } })

const TABLE: readonly Verdict[] = [
  { lines: ['tools = HTTP_GET'], is: 'allowed' },
  { lines: ['tools = HTTP_GET'], method: 'POST', is: 'tool_not_granted' },
  { lines: ['tools = HTTP_*'], method: 'DELETE', is: 'allowed' },
  { lines: ['tools = HTTP_*'], ...ITEM, is: 'tool_not_granted' },
  { lines: ['tools = ITEM'], ...ITEM, is: 'allowed' },
  { lines: ['tools = ITEM'], is: 'tool_not_granted' },
  { lines: ['tools = HTTP_*', 'tools = HTTP_POST'], is: 'tool_not_granted' },
  { lines: ['ways = proxy,mount'], is: 'allowed' },
  { lines: ['ways = mcp,rest,link'], is: 'way_not_granted' },
  { lines: [FUTURE], is: 'allowed' },
  { lines: [PAST], is: 'expired' },
  { lines: [FUTURE, PAST], is: 'expired' },
  { lines: ['uses <= 0'], is: 'uses_spent' },
  { lines: ['uses <= 1'], is: 'allowed' },
  { lines: ['task = T-7', 'task = T-7/3'], is: 'allowed' },
  { lines: ['person = alice'], is: 'person_mismatch' },
  { lines: ['keys = alice'], is: 'allowed' },
  { lines: ['tools = HTTP_GET', 'delegate = no'], is: 'allowed' },
  // A generic call may bear a path or a model, for all that is known.
  { lines: ['area = /src'], is: 'area_outside' },
  { lines: ['model = gpt-*'], is: 'model_not_granted' },
  { lines: ['area = /src'], path: '/ping', is: 'allowed' },
  { lines: ['model = gpt-*'], path: '/ping', is: 'allowed' },
  { lines: ['area = /src'], path: '/items/5?dir=/src/a', is: 'allowed' },
  { lines: ['area = /src'], path: '/items/5?dir=/srcret', is: 'area_outside' },
  { lines: ['area = /src'], path: '/items/5?dir=/src/../etc', is: 'area_outside' },
  { lines: ['area = /src'], path: '/items/5?dir=/src/%252e%252e/etc', is: 'area_outside' },
  { lines: ['area = /src,/lib'], ...write({ path: '/lib/x' }), is: 'allowed' },
  { lines: ['area = /src'], ...write({ path: '/etc/passwd' }), is: 'area_outside' },
  { lines: ['area = /src'], ...write({ deep: { file: '/etc/passwd' } }), is: 'area_outside' },
  { lines: ['model = gpt-*'], ...chat('gpt-5'), is: 'allowed' },
  { lines: ['model = gpt-*'], ...chat('claude-3'), is: 'model_not_granted' },
  // arg on a generic call
  { lines: ['arg HTTP_GET.url_path prefix /pub/'], path: '/pub/a', is: 'allowed' },
  { lines: ['arg HTTP_GET.url_path prefix /pub/'], path: '/private', is: 'arg_refused' },
  { lines: ['arg HTTP_GET.host = api.test'], is: 'allowed' },
  { lines: ['arg HTTP_GET.host = other.test'], is: 'arg_refused' },
  { lines: ['arg HTTP_GET.query.q glob a*z'], path: '/?q=abcz', is: 'allowed' },
  { lines: ['arg HTTP_GET.query.q glob a*z'], path: '/?q=abc', is: 'arg_refused' },
  { lines: ['arg HTTP_GET.query.q = 1'], path: '/?q=1&q=2', is: 'arg_refused' },
  { lines: ['arg HTTP_POST.host = other.test'], is: 'allowed' },
  // arg on a row: typed by its schema, then from the JSON body
  { lines: ['arg ITEM.id <= 10'], ...ITEM, is: 'allowed' },
  { lines: ['arg ITEM.id <= 10'], path: '/items/50', is: 'arg_refused' },
  { lines: ['arg ITEM.id >= 10'], ...ITEM, is: 'arg_refused' },
  { lines: ['arg ITEM.deep = true'], path: '/items/5?deep=true', is: 'allowed' },
  { lines: ['arg ITEM.deep = true'], ...ITEM, is: 'arg_refused' },
  { lines: ['arg WRITE.tags in a,b'], ...write({ tags: ['a', 'b'] }), is: 'allowed' },
  { lines: ['arg WRITE.tags in a,b'], ...write({ tags: ['a', 'c'] }), is: 'arg_refused' },
  { lines: ['arg WRITE.tags in a,b'], ...write({}), is: 'arg_refused' },
  { lines: ['arg WRITE.meta.level = 3'], ...write({ meta: { level: 3 } }), is: 'allowed' },
  { lines: ['arg WRITE.meta.level = 3'], ...write({ meta: { level: 4 } }), is: 'arg_refused' },
  { lines: ['arg WRITE.path = /a'], ...write({ path: '/b' }), is: 'arg_refused' },
]

function linesFor(shape: Shape, lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line.replaceAll(/\b(?:ITEM|WRITE|CHAT|PING)\b/g, (name) => rowName(name, shape)),
  )
}

function ask(gateway: TestGateway, shape: Shape, verdict: Verdict) {
  const { lines, method = 'GET', path = '/', json } = verdict
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const headers: Record<string, string> =
    json === undefined ? {} : { 'content-type': 'application/json' }
  return gateway.ask(shape, {
    token: gateway.mint(...linesFor(shape, lines)),
    method,
    path,
    headers,
    ...body,
  })
}

flow('the table of verdicts, in every shape', { rows: ROWS }, async (t, gateway) => {
  for (const verdict of TABLE) {
    const { lines, method = 'GET', path = '/', is } = verdict
    for (const shape of SHAPES) {
      const before = gateway.upstreams.arrived.length
      const got = await ask(gateway, shape, verdict)
      const receipt = gateway.receipt(got.header('receipt'))
      const said = { status: got.status, refused: got.header('refused'), code: receipt?.code }
      const reached = gateway.upstreams.arrived.length - before
      const expected =
        is === 'allowed'
          ? { status: 200, refused: undefined, code: undefined }
          : { status: ERRORS[is].status, refused: is, code: is }
      t.same(
        { ...said, outcome: receipt?.outcome, reached },
        {
          ...expected,
          outcome: is === 'allowed' ? is : 'refused',
          reached: is === 'allowed' ? 1 : 0,
        },
        `${shape}: ${method} ${path} under ${lines.join(' & ')}`,
      )
    }
  }
})

flow(
  'a host that bears neither paths nor models',
  { upstream: { bears: { area: false, model: false } } },
  async (t, gateway) => {
    const token = gateway.mint('area = /src', 'model = gpt-*')
    for (const shape of SHAPES)
      t.equal((await gateway.ask(shape, { token })).status, 200, `${shape}: a generic call goes`)
  },
)

flow('the door is a way', {}, async (t, gateway) => {
  const token = gateway.mint('ways = mount')
  for (const shape of SHAPES) {
    const { status } = await gateway.ask(shape, { token })
    t.equal(status, shape === 'mount' ? 200 : 403, shape)
  }
})

flow('a revoked grant', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const first = await gateway.ask('absolute', { token })
  gateway.revoke(String(gateway.receipt(first.header('receipt'))?.grant))
  const refused = async () => (await gateway.ask('absolute', { token })).status === 403
  t.ok(await eventually(refused, 1000), 'what another process revoked is known within a second')
  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token })
    t.same([got.status, got.header('refused')], [403, 'revoked'], shape)
  }
})

flow('every line that does not hold is named', {}, async (t, gateway) => {
  const lines = ['tools = HTTP_POST', 'ways = mcp', PAST]
  const token = gateway.mint(...lines, FUTURE)
  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token })
    const { code, ran, reasons } = JSON.parse(got.text) as Record<string, unknown>
    t.same({ code, ran }, { code: 'tool_not_granted', ran: false }, shape)
    t.same(
      (reasons as { caveat: string }[]).map(({ caveat }) => caveat),
      lines,
    )
  }
})

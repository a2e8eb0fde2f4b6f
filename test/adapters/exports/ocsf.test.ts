import t from 'tap'
import { ocsfOf } from '../../../adapters/exports/formats/ocsf.ts'
import { eventOf, itemOf, receiptOf } from './rig.ts'

type Attributes = Readonly<Record<string, unknown>>

/** What the schema of OCSF 1.7 requires of the class and of the objects in it. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'activity_id',
    'actor',
    'api',
    'category_uid',
    'class_uid',
    'metadata',
    'severity_id',
    'src_endpoint',
    'time',
    'type_uid',
  ],
  metadata: ['product', 'version'],
  'metadata.product': ['vendor_name'],
  api: ['operation'],
  'api.request': ['uid'],
  'api.service': ['name'],
}

/** Objects of which at least one of these has to be there. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  actor: ['user', 'session', 'process', 'app_uid'],
  'actor.user': ['uid', 'name', 'account'],
  src_endpoint: ['ip', 'uid', 'name', 'hostname'],
  dst_endpoint: ['ip', 'uid', 'name', 'hostname'],
  'http_request.url': ['url_string', 'path'],
}

function at(value: unknown, path: string): unknown {
  const steps = path === '' ? [] : path.split('.')
  return steps.reduce<unknown>((inner, step) => (inner as Attributes | undefined)?.[step], value)
}

function faultsOf(event: unknown): readonly string[] {
  const missing = Object.entries(REQUIRED).flatMap(([path, names]) => {
    const object = at(event, path) as Attributes | undefined
    return object === undefined
      ? []
      : names.filter((name) => object[name] === undefined).map((name) => `${path}.${name}`)
  })
  const empty = Object.entries(ONE_OF).flatMap(([path, names]) => {
    const object = at(event, path) as Attributes | undefined
    return object === undefined || names.some((name) => object[name] !== undefined) ? [] : [path]
  })
  const { activity_id, class_uid, type_uid } = event as Record<string, number>
  const sum = Number(class_uid) * 100 + Number(activity_id)
  return [...missing, ...empty, ...(type_uid === sum ? [] : ['type_uid'])]
}

/** As it leaves: what is undefined is not there. */
function written(kind: 'receipt' | 'event', record: Attributes): Attributes {
  const item = itemOf(7, kind, record)
  return JSON.parse(JSON.stringify(ocsfOf(item, record, '1.2.3'))) as Attributes
}

t.test('a call that was let through', async (t) => {
  const receipt = receiptOf(1)
  const event = written('receipt', receipt)
  t.strictSame(event, {
    class_uid: 6003,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: 2,
    activity_name: 'Read',
    type_uid: 600_302,
    type_name: 'API Activity: Read',
    time: Date.parse('2026-11-29T12:00:01.025Z'),
    metadata: {
      version: '1.7.0',
      profiles: ['security_control'],
      uid: 'w_a:14',
      sequence: 7,
      log_name: 'ledger',
      product: { name: 'Narrowgate', vendor_name: 'Narrowgate', version: '1.2.3' },
    },
    start_time: Date.parse('2026-11-29T12:00:01.000Z'),
    end_time: Date.parse('2026-11-29T12:00:01.025Z'),
    duration: 25,
    severity_id: 1,
    severity: 'Informational',
    status_id: 1,
    status: 'Success',
    status_code: '200',
    action_id: 1,
    action: 'Allowed',
    actor: {
      user: { uid: 'g_1', credential_uid: 'g_1' },
      session: { uid: 'AAAAAAAAAAAAAAAAAAAAAA', is_remote: true },
    },
    api: {
      operation: 'GITHUB_ISSUES_LIST',
      service: { name: 'api.github.com' },
      request: { uid: receipt['id'] },
      response: { code: 200 },
    },
    src_endpoint: { ip: '127.0.0.1', port: 50_123 },
    dst_endpoint: { hostname: 'api.github.com', ip: '140.82.121.6', port: 443 },
    http_request: {
      http_method: 'GET',
      url: {
        url_string: 'https://api.github.com/repos/a/b/issues?state=open',
        scheme: 'https',
        hostname: 'api.github.com',
        port: 443,
        path: '/repos/a/b/issues',
        query_string: 'state=open',
      },
    },
    http_response: { code: 200 },
    unmapped: { receipt },
  })
})

t.test('the activity is the method’s', async (t) => {
  const activityOf = (method: string) =>
    written('receipt', { ...receiptOf(1), upstream: { method, url: 'http://a.test/' } })[
      'activity_id'
    ]
  t.same(
    ['POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'constructor'].map(activityOf),
    [1, 2, 3, 3, 4, 99, 99],
  )
})

t.test('a refusal is denied, and says why', async (t) => {
  const refused = {
    ...receiptOf(1),
    outcome: 'refused',
    ran: false,
    code: 'tool_not_granted',
    reasons: [{ axis: 'tools', caveat: 'tools = A', got: 'B', repair: 'ask for B' }],
    status: 403,
    person: 'alice',
  }
  t.match(written('receipt', refused), {
    action_id: 2,
    severity_id: 3,
    status_id: 2,
    status_code: 'tool_not_granted',
    status_detail: 'tools: got B; ask for B',
    actor: { user: { uid: 'alice', credential_uid: 'g_1' } },
    api: { response: { code: 403, error: 'tool_not_granted' } },
  })
})

t.test('whatever is missing, what the schema requires is there', async (t) => {
  const whole = receiptOf(1)
  const receipts = [
    whole,
    { id: 'r', seq: 1, outcome: 'refused' },
    { ...whole, peer: '[::1]:99', address: '::1' },
    { ...whole, peer: 'unix', address: 'nonsense' },
    { ...whole, upstream: { method: 'CONNECT', url: 'not a url' } },
    ...['refused', 'failed', 'gone', 'unknown', 'open'].map((outcome) => ({ ...whole, outcome })),
  ]
  for (const receipt of receipts)
    t.same(faultsOf(written('receipt', receipt)), [], JSON.stringify(receipt))
  for (const event of [eventOf(1), { seq: 1 }]) t.same(faultsOf(written('event', event)), [])
  const { actor: _, ...broken } = written('receipt', whole)
  t.same(faultsOf(broken), ['.actor'], 'and it would be missed')
  t.match(written('receipt', receipts[2] ?? {}), {
    src_endpoint: { ip: '::1', port: 99 },
    dst_endpoint: { ip: '::1' },
  })
})

t.test('an event is a call of the gateway’s own', async (t) => {
  t.match(written('event', eventOf(4)), {
    activity_id: 1,
    time: Date.parse('2026-11-29T12:00:04.000Z'),
    actor: { user: { name: 'owner' } },
    api: { operation: 'grant_minted', service: { name: 'narrowgate' } },
    resources: [{ name: 'g_1', type: 'grant' }],
    unmapped: { event: { event: 'grant_minted' } },
  })
})

import type { FieldType, View, ViewField, ViewName } from './types.ts'

const field = (type: FieldType, says: string): ViewField => ({ type, says })
const text = (says: string) => field('text', says)
const time = (says: string) => field('time', says)
const number = (says: string) => field('number', says)
const milliseconds = (says: string) => field('milliseconds', says)
const flag = (says: string) => field('flag', says)

/** Everything that is told of one exchange. */
const OF_EXCHANGE = {
  seq: number('number of the receipt in the index; later receipts have higher ones'),
  id: text('id of the receipt'),
  opened: time('when the call came in'),
  closed: time('when its outcome was recorded'),
  origin: text('who recorded it'),
  door: text('the way of the call'),
  peer: text('address of the client'),
  task: text('task of the token'),
  run: text('the top of the task: `T-7` of `T-7/3/1`'),
  grant: text('id of the grant'),
  link: text('last link of the token’s chain'),
  person: text('who was signed in'),
  key: text('name of the key that was put in'),
  tool: text('row of the catalog, or `HTTP_<METHOD>`'),
  model: text('model that the call names'),
  method: text('HTTP method'),
  host: text('host of the upstream'),
  url: text('address of the upstream'),
  outcome: text('`allowed`, `refused`, `failed`, `gone`, `unknown`, or `open`'),
  ran: text('whether the upstream acted: `yes`, `no`, `unknown`'),
  code: text('code of the refusal or failure'),
  axis: text('axis of the first reason'),
  axes: text('axes of all reasons, each once, with commas'),
  caveat: text('line that the first reason names'),
  status: number('HTTP status of the answer'),
  request_bytes: number('bytes of the request’s body'),
  response_bytes: number('bytes of the upstream’s answer'),
  delivered_bytes: number('bytes that the client got'),
  ms: milliseconds('time of all stages together'),
  upstream_ms: milliseconds('time until the upstream’s answer began'),
  own_ms: milliseconds('time of the gateway’s own stages, up to the upstream'),
  times: number('calls that the receipt stands for: 1, more for an aggregated one'),
  noise: flag('whether a program made the refused call of itself'),
  shadowed: flag('whether a guardrail in shadow mode would have refused it'),
  policy: text('version of the configuration in force'),
} as const satisfies Record<string, ViewField>

type ExchangeField = keyof typeof OF_EXCHANGE

/** Names of the fields that every exchange has a column for. */
export const EXCHANGE_FIELDS = Object.keys(OF_EXCHANGE) as readonly ExchangeField[]

function pick(names: readonly ExchangeField[]): Readonly<Record<string, ViewField>> {
  return Object.fromEntries(names.map((name) => [name, OF_EXCHANGE[name]]))
}

function without(...names: readonly ExchangeField[]): Readonly<Record<string, ViewField>> {
  return pick(EXCHANGE_FIELDS.filter((name) => !names.includes(name)))
}

/** What is told of exchanges that share something. */
const OF_GROUP = {
  seq: number('number of its latest receipt'),
  opened: time('when its first call came in'),
  last: time('when its latest call came in'),
  calls: number('receipts'),
  allowed: number('receipts of this outcome'),
  refused: number('receipts of this outcome'),
  failed: number('receipts of this outcome'),
  gone: number('receipts of this outcome'),
  unknown: number('receipts of this outcome'),
  open: number('receipts without an outcome so far'),
  turns: number('calls that name a model'),
  request_bytes: number('bytes of the requests’ bodies'),
  response_bytes: number('bytes of the upstreams’ answers'),
  delivered_bytes: number('bytes that clients got'),
  ms: milliseconds('time of all calls together'),
} as const satisfies Record<string, ViewField>

const OF_CALL = { since: 'opened', until: 'opened' } as const
const OF_SPAN = { since: 'last', until: 'opened' } as const

/** The views of the ledger. docs/ledger.md has the same tables; a test compares both ways. */
export const VIEWS: Readonly<Record<ViewName, View>> = {
  exchanges: {
    says: 'one receipt',
    fields: without('axis', 'axes', 'caveat'),
    span: OF_CALL,
  },
  runs: {
    says: 'a task at the top, with all that lies below it',
    fields: {
      run: text('the task'),
      tasks: number('different tasks, sub-tasks included'),
      grants: number('different grants'),
      ...OF_GROUP,
    },
    span: OF_SPAN,
  },
  turns: {
    says: 'one call that names a model',
    fields: without('axis', 'axes', 'caveat', 'times', 'noise', 'shadowed'),
    span: OF_CALL,
  },
  refusals: {
    says: 'one refusal',
    fields: without('outcome', 'ran', 'response_bytes', 'upstream_ms', 'shadowed', 'key'),
    span: OF_CALL,
  },
  grants: {
    says: 'a grant that was used, refused calls included',
    fields: {
      grant: text('id of the grant'),
      tasks: number('different tasks, sub-tasks included'),
      ...OF_GROUP,
    },
    span: OF_SPAN,
  },
  tasks: {
    says: 'a task without its sub-tasks',
    fields: {
      task: text('the task'),
      run: text('the top of the task'),
      grants: number('different grants'),
      ...OF_GROUP,
    },
    span: OF_SPAN,
  },
}

/** The views’ names, in the order in which they are told. */
export const VIEW_NAMES = Object.keys(VIEWS) as readonly ViewName[]

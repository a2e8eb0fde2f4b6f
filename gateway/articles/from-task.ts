import type { LedgerIndex, Receipt } from '../../adapters/ledger/port.ts'
import { oneLine, plainInline, type Block, type Cursors, type Source } from '../../catalog/index.ts'
import { Refusal, refusal } from '../refusal.ts'
import { answerView } from '../views/answer.ts'
import { coveredBy } from './viewer.ts'

/** Calls in the timeline; each may cite two bodies, and an article cites 256. */
const MOST_CALLS = 120

const LONGEST_CELL = 1900

/** A task whose receipts become an article. */
export interface FromTask {
  readonly from: { readonly task: string }
  readonly slug?: string
  readonly title?: string
}

/**
 * What a request says of a task; undefined where it has no `from`, and is an article itself.
 * @throws Refusal
 */
export function readFromTask(body: object): FromTask | undefined {
  if (!Object.hasOwn(body, 'from')) return undefined
  const { from, slug: _slug, title: _title, ...others } = body as Readonly<Record<string, unknown>>
  const { task, ...more } = membersOf(from)
  const unknown = [...Object.keys(others), ...Object.keys(more).map((name) => `from.${name}`)]
  if (unknown.length > 0)
    throw new Refusal(
      'unknown_field',
      unknown.map((name) => ({
        axis: name.slice(0, 80),
        got: 'an unknown field',
        repair: 'use `from.task`, `slug` and `title`; the rest is made of the receipts',
      })),
    )
  if (typeof task !== 'string' || task === '') {
    const repair = 'write {"from": {"task": "T-7"}}'
    throw refusal('malformed_request', 'from.task', { got: 'no task', repair })
  }
  return body as FromTask
}

interface TaskLedger {
  readonly index: Pick<LedgerIndex, 'list' | 'view' | 'lag' | 'sync'>
  readonly cursors: Cursors
}

/**
 * The draft of an article on what a task, with its sub-tasks, has done so far: its figures, its first calls in order, why calls were
 * refused, and the hashes of all bodies that were kept of them.
 * @throws Refusal where the task has no receipts
 */
export async function draftOfTask(
  { from: { task }, slug, title }: FromTask,
  { index, cursors }: TaskLedger,
): Promise<object> {
  await index.sync()
  const receipts = await index.list({ where: { task }, order: 'asc', limit: MOST_CALLS })
  if (receipts.length === 0)
    throw refusal('not_found', 'from.task', {
      got: 'a task without receipts',
      repair: 'see `GET /api/ledger/tasks` for those there are',
    })
  const facts = await factsOf(task, { index, cursors })
  return {
    slug: slug ?? slugOf(task),
    title: title ?? `Task ${oneLine(task)}`.slice(0, 200),
    kind: 'task',
    summary: `${facts.calls} calls, ${facts.refused} refused, ${facts.response_bytes} bytes of answers.`,
    facts,
    blocks: blocksOf(task, receipts, facts.calls),
    sources: receipts.flatMap(sourcesOf),
  }
}

async function factsOf(task: string, { index, cursors }: TaskLedger) {
  const where = coveredBy(task)
  const bytes = ['request_bytes', 'response_bytes'] as const
  const aggregate = { count: true, sum: bytes, min: ['opened'], max: ['opened'] }
  const ask = (want: object) =>
    answerView(index, { view: 'exchanges', want: { where, want: want } }, cursors)
  const { figures: all } = await ask({ aggregate })
  const { figures: groups } = await ask({ aggregate: { count: true, by: ['outcome'] } })
  const { count, sum, min, max } = all as unknown as Sums
  const outcomes = (groups as unknown as readonly Outcome[]).map(
    ({ by, count: calls }) => [by.outcome, calls] as const,
  )
  return {
    task: oneLine(task).slice(0, 1000),
    calls: count,
    refused: 0,
    ...Object.fromEntries(outcomes),
    request_bytes: sum.request_bytes ?? 0,
    response_bytes: sum.response_bytes ?? 0,
    first_call: min.opened,
    last_call: max.opened,
  }
}

interface Sums {
  readonly count: number
  readonly sum: { readonly request_bytes: number | null; readonly response_bytes: number | null }
  readonly min: { readonly opened: string | null }
  readonly max: { readonly opened: string | null }
}

interface Outcome {
  readonly by: { readonly outcome: string }
  readonly count: number
}

/** `T-7/3` is `task-t-7-3`. */
function slugOf(task: string): string {
  const words = task.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return ['task', ...words].join('-').slice(0, 100).replace(/-$/, '')
}

function blocksOf(task: string, receipts: readonly Receipt[], calls: number): readonly Block[] {
  const refused = receipts.filter(({ outcome }) => outcome === 'refused')
  return [
    { type: 'facts', names: ['calls', 'refused', 'request_bytes', 'response_bytes'] },
    { type: 'heading', level: 2, text: 'Timeline' },
    ...(calls > receipts.length
      ? [{ type: 'text', text: `The first ${receipts.length} of ${calls} calls.` } as const]
      : []),
    {
      type: 'table',
      caption: 'Calls in order',
      columns: ['Opened', 'Outcome', 'Tool', 'Request', 'Status', 'Bytes', 'Receipt'],
      rows: receipts.map(callRow),
    },
    ...(refused.length === 0
      ? []
      : ([
          { type: 'heading', level: 2, text: 'Refusals' },
          {
            type: 'table',
            caption: 'Refused calls',
            columns: ['Opened', 'Code', 'Line', 'Got', 'Receipt'],
            rows: refused.map(refusedRow),
          },
        ] as const)),
    ...(TASK.test(task)
      ? ([
          { type: 'heading', level: 2, text: 'Now' },
          { type: 'ledger', title: 'What the ledger says now', task },
        ] as const)
      : []),
  ]
}

/** Of these a block can ask the ledger. */
const TASK = /^[A-Za-z0-9._-]{1,64}(?:\/[A-Za-z0-9._-]{1,64}){0,15}$/

function callRow(receipt: Receipt): readonly string[] {
  const { opened, outcome, tool, status, code, id } = receipt
  const { method, url } = membersOf(receipt['upstream'])
  const { bytes } = membersOf(receipt['response'])
  const request = [method, url].filter((part) => typeof part === 'string').join(' ')
  return [opened, outcome, tool, request, status ?? code, bytes, id].map(cell)
}

function refusedRow({ opened, code, reasons, id }: Receipt): readonly string[] {
  const { axis, caveat, got } = membersOf(Array.isArray(reasons) ? reasons[0] : undefined)
  return [opened, code, caveat ?? axis, got, id].map(cell)
}

/** Any value as the cell of a table, where it means nothing but itself. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return plainInline(
    Array.from(text)
      .slice(0, LONGEST_CELL / 2)
      .join(''),
  )
}

function sourcesOf(receipt: Receipt): readonly Source[] {
  const { tool } = receipt
  const title = `${typeof tool === 'string' ? oneLine(tool) : 'a call'}, ${receipt.outcome}`
  return (['request', 'response'] as const).flatMap((part) => {
    const { body } = membersOf(receipt[part])
    return typeof body === 'string' ? [{ title, sha256: body, receipt: receipt.id, part }] : []
  })
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

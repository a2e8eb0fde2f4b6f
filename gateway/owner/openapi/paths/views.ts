import { VIEW_NAMES, VIEWS, type ViewName } from '../../../../catalog/index.ts'
import { operation, type Operation } from '../operation.ts'

const MIN_SEQ = 'Waits until the index has the receipt with this number'

const PARAMETERS = {
  q: 'The whole question as JSON: `{where, select, order, page, want}`. Without it, the parameters below',
  since: 'Not before this time',
  until: 'Before this time',
  select: 'Fields with commas; `-` leaves one out',
  order:
    'Fields with commas, `-` for descending; of groups figures such as `p95.ms`, `count`, `by.tool`',
  limit: '1 to 10000; 100 by default',
  cursor: 'The `next` of the answer before',
  by: 'One or two fields that make groups; a time with its unit, `opened:day`',
  count: '`true` counts',
  sum: 'Fields to sum',
  min: 'Fields whose lowest value is asked for',
  max: 'Fields whose highest value is asked for',
  avg: 'Fields whose mean is asked for',
  p50: 'Fields whose median is asked for: the nearest rank',
  p95: 'Fields whose 95th percentile is asked for: the nearest rank',
  p99: 'Fields whose 99th percentile is asked for: the nearest rank',
  shape: '`rows`, `first` or `count`',
  format: '`json`, `ndjson` or `csv`',
  max_bytes: 'A larger answer is refused',
  min_seq: MIN_SEQ,
} as const

const REFUSALS = [
  'unknown_field',
  'not_supported',
  'too_large',
  'index_unavailable',
  'index_behind',
] as const

export const VIEW_PATHS: Readonly<Record<string, { get: Operation; post?: Operation }>> = {
  ...Object.fromEntries(VIEW_NAMES.map((view) => [`/api/ledger/${view}`, pathOf(view)])),
  '/api/ledger/ask': {
    get: operation({
      summary: 'A question to the ledger in plain words',
      answer: 'PlainAnswer',
      query: { q: 'The question: `refused calls to github yesterday by task`', min_seq: MIN_SEQ },
      refusals: ['unknown_field', 'index_unavailable', 'index_behind'],
    }),
  },
}

function pathOf(view: ViewName) {
  const { says, fields } = VIEWS[view]
  const filters = Object.entries(fields).map(([name, { type, says }]) => [
    name,
    `Filter by it (${type}): ${says}. A \`*\` in a text stands for anything; \`${name}.gte\` and so on for other tests`,
  ])
  return {
    get: operation({
      summary: `A view of the ledger: each row is ${says}`,
      answer: 'LedgerAnswer',
      tables: true,
      query: { ...PARAMETERS, ...(Object.fromEntries(filters) as Record<string, string>) },
      refusals: REFUSALS,
    }),
    post: operation({
      summary: `The same with the question as a body`,
      body: 'LedgerQuery',
      answer: 'LedgerAnswer',
      tables: true,
      query: { min_seq: MIN_SEQ },
      refusals: REFUSALS,
    }),
  }
}

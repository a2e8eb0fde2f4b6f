import type { FigureName, ViewName } from '../views/types.ts'

type Table<T> = Readonly<Record<string, T>>

function table<T>(entries: readonly (readonly [value: T, words: string])[]): Table<T> {
  return Object.fromEntries(
    entries.flatMap(([value, words]) => words.split(', ').map((word) => [word, value] as const)),
  )
}

/** Words that a question is held together by; they say nothing of their own. */
export const FILLERS: ReadonlySet<string> = new Set(
  `the a an of me us my our your show list give get find tell print display what which whose where when was were is are be been
   being did do does done all any some please and or in for to from on at that there have has had made make happened happen it
   them their its this those these with into via through than then i we you can could would will within during over about up
   still so far now ones one used use using ever only just also but not took take takes taken answer answers response responses`.split(
    /\s+/,
  ),
)

/** What is asked for. */
export const NOUNS: Table<ViewName> = table<ViewName>([
  ['exchanges', 'call, calls, request, requests, exchange, exchanges, receipt, receipts, traffic'],
  ['refusals', 'refusal, refusals, denial, denials'],
  [
    'turns',
    'turn, turns, model call, model calls, llm call, llm calls, prompt, prompts, completion, completions',
  ],
  ['runs', 'run, runs'],
  ['grants', 'grant, grants, token, tokens'],
  ['tasks', 'task, tasks'],
])

export const OUTCOMES: Table<string> = table([
  ['allowed', 'allowed, permitted, successful, succeeded, passed, let through'],
  ['refused', 'refused, denied, blocked, forbidden, rejected, not allowed'],
  ['failed', 'failed, failing, failure, failures, error, errors, broken'],
  ['gone', 'gone, aborted, abandoned, cancelled, canceled, hung up'],
  ['unknown', 'unknown, of unknown fate'],
  ['open', 'open, running, pending, ongoing, unfinished, under way, in flight'],
])

/** What groups can be made by: fields of exchanges. */
export const DIMENSIONS: Table<string> = table([
  ['tool', 'tool, tools'],
  ['host', 'host, hosts, upstream, upstreams, server, servers, site, sites'],
  ['task', 'task, tasks, sub-task, sub-tasks, subtask, subtasks'],
  ['run', 'run, runs, top task, top tasks'],
  ['grant', 'grant, grants, token, tokens'],
  ['link', 'link, links'],
  ['person', 'person, persons, people, user, users, whom'],
  ['key', 'key, keys'],
  ['model', 'model, models'],
  ['outcome', 'outcome, outcomes, result, results'],
  ['code', 'code, codes, reason, reasons, cause, causes'],
  ['axis', 'axis, axes'],
  ['caveat', 'caveat, caveats, line, lines'],
  ['status', 'status, statuses, status code, status codes'],
  ['method', 'method, methods, verb, verbs'],
  ['door', 'door, doors, way, ways'],
  ['peer', 'peer, peers, client, clients, address, addresses'],
  ['origin', 'origin, origins, recorder, recorders'],
  ['policy', 'configuration, configurations, policy, policies'],
  ['opened:minute', 'minute, minutes'],
  ['opened:hour', 'hour, hours, hourly'],
  ['opened:day', 'day, days, daily, date, dates'],
  ['opened:week', 'week, weeks, weekly'],
  ['opened:month', 'month, months, monthly'],
  ['opened:year', 'year, years, yearly'],
])

/** What can be measured: fields of exchanges. */
export const MEASURES: Table<string> = table([
  [
    'ms',
    'ms, milliseconds, time, times, duration, durations, latency, latencies, long, response time, response times, total time',
  ],
  ['upstream_ms', 'upstream time, upstream times, upstream latency, waiting time'],
  ['own_ms', 'own time, own times, overhead, gateway time, gateway latency'],
  [
    'response_bytes',
    'bytes, size, sizes, data, response size, response sizes, response bytes, answer size, answer sizes, traffic',
  ],
  [
    'request_bytes',
    'request bytes, request size, request sizes, upload, uploads, uploaded, sent bytes',
  ],
  ['delivered_bytes', 'delivered bytes, delivered, download, downloads, downloaded'],
])

export const FIGURES: Table<FigureName | 'count'> = table<FigureName | 'count'>([
  ['count', 'how many, count, counts, count of, number of, how often, how frequently'],
  ['sum', 'how much, total, sum, sum of, in total, total of'],
  ['avg', 'average, avg, mean, how long, how slow, how fast'],
  ['p50', 'median, p50, 50th percentile'],
  ['p95', 'p95, 95th percentile, percentile 95'],
  ['p99', 'p99, 99th percentile, percentile 99'],
  ['max', 'maximum, max, highest, peak'],
  ['min', 'minimum, min, lowest'],
])

/** An end of an order. */
export interface Superlative {
  readonly by: 'time' | 'size' | 'count' | 'age'
  readonly descending: boolean
}

export const SUPERLATIVES: Table<Superlative> = table<Superlative>([
  [{ by: 'time', descending: true }, 'slowest, longest'],
  [{ by: 'time', descending: false }, 'fastest, quickest, shortest'],
  [{ by: 'size', descending: true }, 'largest, biggest, heaviest'],
  [{ by: 'size', descending: false }, 'smallest, lightest'],
  [
    { by: 'count', descending: true },
    'most, top, busiest, commonest, most often, most common, most frequent, most used',
  ],
  [{ by: 'count', descending: false }, 'least, fewest, rarest, least often, least used'],
  [{ by: 'age', descending: true }, 'latest, newest, most recent, recent, last'],
  [{ by: 'age', descending: false }, 'oldest, earliest, first'],
])

/** Codes of one word; those of several are known by their underscores. */
export const CODES: ReadonlySet<string> = new Set(['expired', 'revoked', 'guardrail', 'overloaded'])

export const METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT'.split(' '),
)

/** A field whose value is the next word: `grant g-1`, `status 404`. */
export const FIELDS: Table<string> = table([
  ['tool', 'tool'],
  ['host', 'host, upstream'],
  ['grant', 'grant, token'],
  ['link', 'link'],
  ['person', 'person, user'],
  ['key', 'key'],
  ['model', 'model'],
  ['code', 'code'],
  ['axis', 'axis'],
  ['door', 'door'],
  ['peer', 'peer, client'],
  ['method', 'method'],
  ['origin', 'origin'],
])

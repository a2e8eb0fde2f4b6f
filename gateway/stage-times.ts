import type { Metric, Registry } from 'prom-client'
import { STAGES, type Stage, type Timing } from './timing.ts'

const NAME = 'narrowgate_stage_duration_seconds'
const HELP = 'time that each stage of an exchange took'
// From a cached decision to a slow upstream, in milliseconds.
const BUCKETS_MS = [0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000, 5000, 30_000]

interface Times {
  /** Observations by the bucket they fall into; the last one has no bound. */
  readonly counts: number[]
  count: number
  /** Milliseconds. */
  sum: number
}

/**
 * A histogram by stage. Seven observations an exchange through prom-client's own cost as much as deciding the call,
 * since it looks labels up by a text each time; here they are counted in arrays and told when somebody asks.
 */
export function createStageTimes(registry: Registry): (timing: Timing) => void {
  const stages = new Map<Stage, Times>(
    STAGES.map((stage) => [
      stage,
      { counts: Array<number>(BUCKETS_MS.length + 1).fill(0), count: 0, sum: 0 },
    ]),
  )
  const metric = { name: NAME, get: () => Promise.resolve(told(stages)), reset() {} }
  // The registry asks a metric for its name and values; its type asks for the whole class.
  registry.registerMetric(metric as unknown as Metric)
  return (timing) => {
    for (const stage of STAGES) {
      const ms = timing[stage]
      if (ms !== undefined) observe(stages.get(stage) as Times, ms)
    }
  }
}

function observe(times: Times, ms: number): void {
  let bucket = 0
  while (bucket < BUCKETS_MS.length && ms > (BUCKETS_MS[bucket] as number)) bucket += 1
  times.counts[bucket] = (times.counts[bucket] as number) + 1
  times.count += 1
  times.sum += ms
}

interface Value {
  readonly metricName: string
  readonly labels: { readonly stage: Stage; readonly le?: string }
  readonly value: number
}

function told(stages: ReadonlyMap<Stage, Times>): object {
  const values = [...stages].flatMap(([stage, times]) => valuesOf(stage, times))
  return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values }
}

/** Buckets are cumulative, and in seconds, as the exposition format has them. */
function valuesOf(stage: Stage, { counts, count, sum }: Times): readonly Value[] {
  let below = 0
  const buckets = counts.map((many, index) => {
    below += many
    const bound = BUCKETS_MS[index]
    return {
      metricName: `${NAME}_bucket`,
      labels: { le: bound === undefined ? '+Inf' : String(bound / 1000), stage },
      value: below,
    }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels: { stage }, value: sum / 1000 },
    { metricName: `${NAME}_count`, labels: { stage }, value: count },
  ]
}

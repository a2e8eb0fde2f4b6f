import autocannon from 'autocannon'
import { CONNECTIONS } from './config.ts'
import { cpuMicroseconds } from './cpu.ts'
import type { Running } from './processes.ts'

/** One load on one contestant. */
export interface Sample {
  readonly requestsPerSecond: number
  /** CPU time of the contestant's process for one request; undefined where the system does not tell. */
  readonly cpuPerRequest: number | undefined
  /** Share of a core that the contestant was busy. */
  readonly busy: number | undefined
  readonly p50: number
  readonly p99: number
}

/** @throws Error where an answer was not what it should have been: figures of wrong answers are worth nothing */
export async function load({ pid, ready }: Running, seconds: number): Promise<Sample> {
  const before = cpuMicroseconds(pid)
  const started = performance.now()
  const result = await autocannon({
    url: `http://${ready.address}${ready.path ?? '/'}`,
    connections: CONNECTIONS,
    duration: seconds,
    ...(ready.headers === undefined ? {} : { headers: ready.headers }),
  })
  const elapsed = performance.now() - started
  const after = cpuMicroseconds(pid)
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(
      `${ready.says}: ${result.errors} errors, ${result.non2xx} answers other than 2xx`,
    )
  const used = before === undefined || after === undefined ? undefined : after - before
  return {
    requestsPerSecond: result.requests.total / result.duration,
    cpuPerRequest: used === undefined ? undefined : used / result.requests.total,
    busy: used === undefined ? undefined : used / (elapsed * 1000),
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

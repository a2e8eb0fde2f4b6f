import { FLOORS, type ContestantName } from './config.ts'
import type { Sample } from './load.ts'

export interface Standing {
  readonly name: ContestantName
  readonly says: string
  readonly samples: readonly Sample[]
}

/** The table, the ratios, and whether every floor is held. */
export function report(standings: readonly Standing[]): {
  readonly text: string
  readonly held: boolean
} {
  const rows = standings.map(({ name, says, samples }) =>
    [
      name.padEnd(22),
      figure(samples, (sample) => sample.requestsPerSecond, 0).padStart(9),
      figure(samples, (sample) => sample.cpuPerRequest, 1).padStart(9),
      figure(samples, (sample) => sample.busy, 2).padStart(6),
      figure(samples, (sample) => sample.p50, 0).padStart(7),
      figure(samples, (sample) => sample.p99, 0).padStart(7),
      `  ${says}`,
    ].join(''),
  )
  const head = 'contestant              req/s    µs/req   busy  p50 ms p99 ms  what it does'
  const gateway = standings.find(({ name }) => name === 'narrowgate')
  const ratios = standings
    .filter(({ name }) => name.startsWith('http-proxy'))
    .map((peer) => ratioLine(gateway, peer))
  const floors = FLOORS.map(({ peer, ratio }) => {
    const reached = cpuRatio(
      gateway,
      standings.find(({ name }) => name === peer),
    )
    return {
      text: `floor: ${ratio} × ${peer}: ${reached >= ratio ? 'held' : 'MISSED'}`,
      held: reached >= ratio,
    }
  })
  return {
    text: [head, ...rows, '', ...ratios, ...floors.map(({ text }) => text)].join('\n'),
    held: floors.every(({ held }) => held),
  }
}

function ratioLine(gateway: Standing | undefined, peer: Standing): string {
  const cpu = cpuRatio(gateway, peer).toFixed(2)
  const rate = (rateOf(gateway) / rateOf(peer)).toFixed(2)
  return `narrowgate with everything on / ${peer.name} doing nothing: ${cpu} by CPU time a request, ${rate} by requests a second`
}

/** How many requests the gateway makes of the CPU time that the peer needs for one. */
function cpuRatio(gateway: Standing | undefined, peer: Standing | undefined): number {
  const own = median(gateway, (sample) => sample.cpuPerRequest)
  const theirs = median(peer, (sample) => sample.cpuPerRequest)
  return own === undefined || theirs === undefined ? rateOf(gateway) / rateOf(peer) : theirs / own
}

function rateOf(standing: Standing | undefined): number {
  return median(standing, (sample) => sample.requestsPerSecond) ?? Number.NaN
}

function figure(
  samples: readonly Sample[],
  pick: (sample: Sample) => number | undefined,
  digits: number,
): string {
  return medianOf(samples.map(pick))?.toFixed(digits) ?? '–'
}

function median(
  standing: Standing | undefined,
  pick: (sample: Sample) => number | undefined,
): number | undefined {
  return standing === undefined ? undefined : medianOf(standing.samples.map(pick))
}

function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).toSorted((a, b) => a - b)
  return known[Math.floor(known.length / 2)]
}

import { CONNECTIONS, ROUNDS, SECONDS, WARM_UP_SECONDS } from '../config.ts'
import { checkAnswer } from '../check.ts'
import { load, type Sample } from '../load.ts'
import { pinSelf, start, stop, type Running } from '../processes.ts'
import { median, type Part, type Row } from '../rows.ts'

const LOAD_CORE = 0
const GATEWAY_CORE = 1
const MODES = ['strict', 'best-effort'] as const

/** What it costs the whole gateway that records are durable: the same calls, in two modes of the ledger. */
export async function modes(): Promise<Part> {
  pinSelf(LOAD_CORE)
  const target = await start('target', [], LOAD_CORE)
  const gateways: { readonly one: Running; readonly samples: Sample[] }[] = []
  try {
    for (const mode of MODES) {
      const one = await start('contestants/narrowgate', [target.ready.address, mode], GATEWAY_CORE)
      gateways.push({ one, samples: [] })
      await checkAnswer(one.ready, target.ready.address, true)
      await load(one, WARM_UP_SECONDS)
    }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { one, samples } of gateways) samples.push(await load(one, SECONDS))
    const [strict = [], lax = []] = gateways.map(({ samples }) => samples)
    return { rows: rowsOf(strict, lax), skipped: [] }
  } finally {
    for (const { one } of gateways) await stop(one)
    await stop(target)
  }
}

const FIGURES = [
  ['requests', 'requests/s', (sample: Sample) => sample.requestsPerSecond],
  ['p50', 'ms', (sample: Sample) => sample.p50],
] as const

function rowsOf(strict: readonly Sample[], lax: readonly Sample[]): readonly Row[] {
  const against = `${CONNECTIONS} connections`
  return FIGURES.flatMap(([what, unit, of]) => [
    ...[strict, lax].map((samples, at) => ({
      name: `gateway, ${MODES[at]}: ${what}`,
      value: median(samples.map(of)),
      unit,
      against,
    })),
    {
      name: `gateway, strict: ${what}`,
      value: median(strict.map((sample, round) => of(sample) / divisor(lax[round], of))),
      unit: '×',
      against: 'gateway, best-effort',
    },
  ])
}

function divisor(sample: Sample | undefined, of: (sample: Sample) => number): number {
  return sample === undefined ? Number.NaN : of(sample)
}

/** What a run measures; the environment can make it shorter or longer. */
export const CONNECTIONS = numberFrom('NARROWGATE_BENCH_CONNECTIONS', 50)
/** Seconds of load for one contestant in one round. */
export const SECONDS = numberFrom('NARROWGATE_BENCH_SECONDS', 4)
export const ROUNDS = numberFrom('NARROWGATE_BENCH_ROUNDS', 3)
/** Seconds of load before the first round, so that every contestant is compiled and its connections stand. */
export const WARM_UP_SECONDS = numberFrom('NARROWGATE_BENCH_WARM_UP', 10)

/** In the order of the report; each is a file in contestants/. */
export const CONTESTANTS = [
  'direct',
  'http-proxy-bare',
  'http-proxy-keepalive',
  'narrowgate',
] as const

export type ContestantName = (typeof CONTESTANTS)[number]

/** The least that the gateway with everything on must reach of a peer that does nothing, in CPU time a request. */
export const FLOORS: readonly { readonly peer: ContestantName; readonly ratio: number }[] = [
  { peer: 'http-proxy-bare', ratio: 1 },
]

function numberFrom(name: string, otherwise: number): number {
  const text = process.env[name]
  const value = text === undefined ? otherwise : Number(text)
  if (!Number.isFinite(value) || value <= 0)
    throw new Error(`${name}: got \`${text}\`, give a number above 0`)
  return value
}

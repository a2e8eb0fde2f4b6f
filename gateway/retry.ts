import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange, Knock, Reply, Retries } from './knock.ts'
import type { Ports } from './ports.ts'
import { getHeader } from './wire/headers.ts'
import { readAtMost } from './wire/read-at-most.ts'

/** The first wait, in milliseconds, where the upstream names none; each later one is twice as long. */
const FIRST_WAIT_MS = 100
/** So much of an answer that nobody gets is read, so that its exchange ends like all others. */
const DROPPED_BYTES = 65_536

/** Failures of the way to the upstream. */
const OF_THE_WAY: readonly string[] = ['upstream_failed', 'upstream_timeout']
const TRIED_AGAIN: readonly number[] = [502, 503, 504]

/**
 * Makes a call until it comes to something, each attempt an exchange of its own. All of them together, and the waits between them,
 * have the time that one call has.
 */
export async function exchangeAgain(
  knock: Knock & { readonly retries: Retries },
  exchange: Exchange,
  { snapshot }: Pick<Ports, 'snapshot'>,
): Promise<Reply> {
  const { retries, signal, within = Infinity, ...once } = knock
  const { headers, limits } = snapshot().config
  const end = performance.now() + Math.min(within, limits.upstreamTotalMs)
  for (let made = 0; ; made++) {
    const body = made === 0 ? knock.body : retries.body()
    const left = Math.ceil(end - performance.now())
    const reply = await exchange({ ...once, signal, body, within: left, retries: undefined })
    const wait = made < retries.most ? waitAfter(reply, made, headers.refused) : undefined
    if (wait === undefined || signal.aborted || performance.now() + wait >= end) return reply
    await drop(reply.body)
    await pause(wait, signal)
    // Nobody is there to read it.
    if (signal.aborted) return { ...reply, body: null }
  }
}

/** Milliseconds after which the call is made again; undefined where it came to something. */
function waitAfter({ status, headers }: Reply, made: number, refused: string): number | undefined {
  const code = getHeader(headers, refused)
  const usual = FIRST_WAIT_MS * 2 ** made
  if (code !== undefined) return OF_THE_WAY.includes(code) ? usual : undefined
  const named = retryAfter(getHeader(headers, 'retry-after'))
  if (status === 429) return named
  return TRIED_AGAIN.includes(status) ? (named ?? usual) : undefined
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

async function drop(body: Reply['body']): Promise<void> {
  if (body === null || Buffer.isBuffer(body)) return
  const whole = await readAtMost(body, DROPPED_BYTES).catch(() => undefined)
  if (whole === undefined) body.destroy()
}

/** Ends early where the client goes. */
async function pause(ms: number, signal: Knock['signal']): Promise<void> {
  const waiting = new AbortController()
  const leave = () => waiting.abort()
  signal.addEventListener('abort', leave)
  await sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})
  signal.removeEventListener('abort', leave)
}

import type { Socket } from 'node:net'
import type { Test } from 'tap'
import { mutant, random } from '../gateway/doors/fast/mutants.ts'
import { HOST } from '../helpers/shapes.ts'
import { readMessage, valuesOf } from './message.ts'
import type { Answering } from './recorder.ts'
import type { Bench } from './suite.ts'
import { openTcp } from './wires.ts'

const AT_ONCE = 24
/** Enough for an answer, where one comes of it. */
const PATIENCE_MS = 5_000
/** A request that its client does not end is not answered; a gateway that answers it all the same may do so. */
const UNENDED_MS = 20

/** A mount by host takes requests as they are written for an upstream. Nothing here asks for a disk that syncs. */
export const config = {
  mounts: [{ host: HOST, to: `http://${HOST}` }],
  ledger: { mode: 'batch' },
}

const HEAD = `HTTP/1.1\r\nHost: ${HOST}\r\n`

/** Requests without a body. */
export const HEADS = [
  `GET /a?b=c ${HEAD}Accept: */*\r\n\r\n`,
  `GET http://${HOST}/a ${HEAD}\r\n`,
  `DELETE /g;h=%2F ${HEAD}Content-Length: 0\r\nConnection: keep-alive\r\nX-Long: a, b,\tc\r\n\r\n`,
]

/** Bodies that would be requests to whoever misses where they begin or end. */
export const BODIES = [
  `POST /b ${HEAD}Content-Length: 23\r\n\r\nGET /c HTTP/1.1\r\nX: yz\r\n`,
  `PUT /d ${HEAD}Transfer-Encoding: chunked\r\n\r\n13\r\nGET /e HTTP/1.1\r\n\r\n\r\n0\r\n\r\n`,
  `POST /f ${HEAD}Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n\r\n`,
]

/** Keeps its connections, as upstreams do: whatever is left over on one is read as the next request. */
export const keeping: Answering = () => ({
  bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
})

interface Mutating {
  /** What is mutated. */
  readonly seeds: readonly string[]
  readonly count: number
  /** Of the random numbers. */
  readonly seed: number
}

/**
 * Sends mutated requests. However one is broken: what arrives can be read in one way alone,
 * and each request that arrives was judged and recorded, so that one request in is never two requests out.
 */
export async function sendMutants(
  t: Test,
  bench: Bench,
  { seeds, count, seed }: Mutating,
): Promise<void> {
  const next = random(seed)
  let left = count
  const client = async () => {
    while (left > 0) {
      const socket = await openTcp(bench.reach.proxyPort)
      for (let open = true; open && left > 0; left -= 1)
        open = await sendOne(socket, armed(mutant(next, seeds), bench.token))
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  checkArrivals(t, bench, count)
}

/** Credentials are not what is mutated: with broken ones little would arrive. */
function armed(text: string, token: string): string {
  return text.replace('\r\n', () => `\r\nAuthorization: Bearer ${token}\r\n`)
}

/** Resolves to whether the connection is good for more: it has answered, stays open, and nothing is left on it. */
function sendOne(socket: Socket, text: string): Promise<boolean> {
  const rest = restOf(text)
  return new Promise((resolve) => {
    let answer = ''
    const finish = (open: boolean) => {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose)
      resolve(open)
    }
    const onClose = () => finish(false)
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      if (readMessage(answer) === undefined) return
      if (rest !== '') return timer.refresh()
      finish(!/^connection: close\r$/im.test(answer))
    }
    const timer = setTimeout(() => finish(false), rest === '' ? PATIENCE_MS : UNENDED_MS)
    socket.on('data', onData).once('close', onClose)
    socket.write(text, 'latin1')
  })
}

/** What is left behind the whole requests in it, or '' where it is no request. */
function restOf(text: string): string {
  try {
    let rest = text
    for (let message = readMessage(rest); message; message = readMessage(rest)) rest = message.rest
    return rest
  } catch {
    return ''
  }
}

function checkArrivals(t: Test, { recorder, gateway }: Bench, count: number): void {
  const { connections } = recorder
  const faults = connections.filter(({ fault }) => fault !== undefined)
  t.same(
    faults.map(({ fault, bytes }) => `${fault}: ${bytes.slice(-300)}`),
    [],
    'what arrives can be read in one way',
  )
  const arrived = connections.flatMap(({ requests }) => requests)
  t.same(
    // A mutant may spell the name of the field otherwise, which means the same and goes on as it is.
    arrived
      .filter(({ fields }) => valuesOf(fields, 'host').join('|') !== HOST)
      .map(({ first }) => first),
    [],
    'nothing arrives for another host',
  )
  const judged = countOf(
    gateway
      .records()
      .filter(({ kind }) => kind === 'intent')
      .map(({ upstream }) => {
        const { method, url } = upstream as { method: string; url: string }
        return `${method} ${url.replace(`http://${HOST}`, '')}`
      }),
  )
  const came = countOf(arrived.map(({ first }) => first.split(' ').slice(0, 2).join(' ')))
  t.same(
    [...came].filter(([line, times]) => times > (judged.get(line) ?? 0)),
    [],
    'each request that arrives was judged, and is the one that was',
  )
  t.ok(arrived.length > count / 50, `${arrived.length} of ${count} arrived`)
}

function countOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

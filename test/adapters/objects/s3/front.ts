import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Reach } from './rig.ts'

/** What is done with one request. */
export type Fate =
  | 'pass'
  /** It is carried out, and the connection ends without an answer. */
  | 'lose the answer'
  /** The head of the answer comes, and part of its body. */
  | 'break the body'
  /** The connection is reset once some of the request's body has come. */
  | 'reset the upload'
  /** Nothing is ever answered. */
  | 'silence'
  /** It is not carried out, and answered with this status. */
  | number

/** `count`: which request it is since this was decided, from 1 on. */
export type Decide = (
  request: IncomingMessage,
  count: number,
) => Fate | undefined | Promise<Fate | undefined>

/** A real S3 with a front that decides what becomes of each request. */
export interface Front extends Reach {
  /** Decides the fate of what comes from now on; every request passes where it gives nothing. */
  decide(fate: Decide): void
  /** Requests since `decide`, as `PUT 412`. */
  seen(): readonly string[]
}

export async function startFront(t: Test, s3: Reach): Promise<Front> {
  let decide: Decide = () => undefined
  let seen: string[] = []
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const log = seen
    const at = log.push(req.method ?? '') - 1
    const fate = (await decide(req, at + 1)) ?? 'pass'
    const note = (what: number | string) => (log[at] = `${req.method} ${what}`)
    if (fate === 'silence') return void req.resume()
    if (fate === 'reset the upload') {
      note('reset')
      return void req.once('data', () => req.socket.resetAndDestroy())
    }
    if (typeof fate === 'number') {
      note(fate)
      return void req.resume().once('end', () => res.writeHead(fate).end())
    }
    forward(s3, { req, res, fate, note })
  }
  const server = createServer((req, res) => void serve(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { pathname } = new URL(s3.endpoint)
  return {
    ...s3,
    endpoint: `http://127.0.0.1:${port}${pathname}`,
    decide(fate) {
      seen = []
      decide = fate
    },
    seen: () => seen,
  }
}

interface Forwarded {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly fate: Fate
  readonly note: (what: number | string) => unknown
}

function forward(s3: Reach, { req, res, fate, note }: Forwarded): void {
  const { hostname, port } = new URL(s3.endpoint)
  const target = { host: hostname, port, method: req.method, path: req.url, headers: req.headers }
  const onward = request(target, (answer) => {
    note(fate === 'lose the answer' ? 'lost' : (answer.statusCode ?? 0))
    if (fate === 'lose the answer') {
      answer.resume().once('end', () => res.destroy())
      return
    }
    res.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
    if (fate !== 'break the body') return void answer.pipe(res)
    answer.once('data', (piece: Buffer) => {
      res.write(piece, () => res.destroy())
      answer.destroy()
    })
  })
  onward.once('error', () => res.destroy())
  req.pipe(onward)
}

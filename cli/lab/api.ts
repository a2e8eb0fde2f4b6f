import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'

/** What the API was sent, so that a demonstration can show it. */
export interface Heard {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  /** Names of all header fields. */
  readonly fields: readonly string[]
}

/** A small HTTPS API on loopback. */
export interface LabApi {
  /** `127.0.0.1:port`. */
  readonly address: string
  readonly heard: readonly Heard[]
  stop(): Promise<void>
}

const ISSUES = 300

function issue(number: number): object {
  return {
    id: 9_000_000 + number,
    number,
    title: `issue ${number}: the valve on line ${number % 7} sticks`,
    state: number % 3 === 0 ? 'closed' : 'open',
    user: { login: `engineer-${number % 11}`, id: number % 11, type: 'User', site_admin: false },
    labels: [{ id: number % 5, name: `line-${number % 7}`, description: 'which line it is about' }],
    body: 'Seen on the morning round; the pressure came back after a restart. '.repeat(6),
    created_at: '2026-11-02T08:00:00Z',
    comments: number % 13,
  }
}

const LIST = JSON.stringify(Array.from({ length: ISSUES }, (_, index) => issue(index + 1)))

/** An empty repository, as git's smart protocol advertises it. */
const NO_REFS = '001e# service=git-upload-pack\n00000000'

/** One crate of a sparse registry, enough for cargo to resolve. */
const CRATE = JSON.stringify({
  name: 'doctor-probe',
  vers: '1.0.0',
  deps: [],
  cksum: '0'.repeat(64),
  features: {},
  yanked: false,
})

interface Page {
  readonly type: string
  readonly body: (request: IncomingMessage) => string
}

function json(body: Page['body']): Page {
  return { type: 'application/json', body }
}

const PAGES: Readonly<Record<string, Page>> = {
  '/me': json(({ headers }) =>
    JSON.stringify({
      you_are: 'agent',
      key_received: (headers.authorization ?? '').startsWith('Bearer '),
    }),
  ),
  '/issues': json(() => LIST),
  '/ping': { type: 'text/plain', body: () => 'pong' },
  '/repo.git/info/refs': {
    type: 'application/x-git-upload-pack-advertisement',
    body: () => NO_REFS,
  },
  '/index/config.json': json(() => JSON.stringify({ dl: 'https://api.demo.test/crates' })),
  '/index/do/ct/doctor-probe': { type: 'text/plain', body: () => CRATE },
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const page = PAGES[(request.url ?? '').split('?')[0] ?? '']
  if (page === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
    return
  }
  response.writeHead(200, { 'content-type': page.type }).end(page.body(request))
}

/** Starts the API with the given certificate, on a free port of loopback. */
export async function startLabApi(leaf: {
  readonly cert: string
  readonly key: string
}): Promise<LabApi> {
  const heard: Heard[] = []
  const server: Server = createServer({ cert: leaf.cert, key: leaf.key }, (request, response) => {
    const { method = '', url = '', headers } = request
    const fields = Object.keys(headers)
    heard.push({ method, path: url, authorization: headers.authorization, fields })
    answer(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `127.0.0.1:${port}`,
    heard,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// Runs a whole gateway under mixed load and fails where its memory or its descriptors do not end where they began:
//
//     npm run soak              30 minutes
//     npm run soak -- 2         2 minutes
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { selfSigned } from '../adapters/upstream/helpers/certificate.ts'
import { askIn, HOST, MOUNT, SHAPES } from '../helpers/shapes.ts'
import type { Asked, Reach, Shape } from '../helpers/shapes.ts'

const MINUTES = Number(process.argv[2] ?? 30)
const CLIENTS_PER_SHAPE = 3
/** Longer than most calls take. */
const STAYS_MS = 150
/** Idle connections to upstreams that speak HTTP/2 are kept for 30 s. */
const REST_MS = 40_000
/** Caches fill, and the heap is given back in large steps. */
const MAY_GROW = { share: 0.2, bytes: 32 * 2 ** 20, descriptors: 8 }

interface Sample {
  readonly rss: number
  readonly descriptors: number
}

function sampleOf({ pid }: ChildProcess): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  return { rss: kilobytes * 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

function serve(req: IncomingMessage, res: ServerResponse): void {
  res.on('error', () => {})
  req.resume().on('end', () => {
    if (req.url === '/slow') return void setTimeout(() => res.end('late'), 200)
    if (req.url === '/large') return void res.end('x'.repeat(1_000_000))
    if (req.url === '/broken') return void res.destroy()
    res.setHeader('Content-Type', 'application/json')
    res.end('{"rows":[1,2,3]}')
  })
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function prepare(folder: string): Promise<string> {
  const identity = await selfSigned(HOST)
  writeFileSync(join(folder, 'ca.pem'), identity.cert)
  const plain = await listen(createServer(serve))
  const both = createSecureServer({ ...identity, allowHTTP1: true })
  // The compatible requests of HTTP/2 have all that is used of HTTP/1's.
  both.on('request', (req, res) =>
    serve(req as unknown as IncomingMessage, res as unknown as ServerResponse),
  )
  const secure = await listen(both)
  const file = join(folder, 'narrowgate.yaml')
  writeFileSync(
    file,
    `
listen: { proxy: "127.0.0.1:0", owner: "127.0.0.1:0" }
log: { level: info }
upstreams:
  - { name: plain, hosts: ["${HOST}:80"], address: "127.0.0.1:${plain}" }
  - { name: secure, hosts: ["${HOST}:443"], address: "127.0.0.1:${secure}", ca: ["./ca.pem"] }
mounts: [{ prefix: ${MOUNT}, to: "http://${HOST}" }]
`,
  )
  return file
}

async function start(folder: string): Promise<{ child: ChildProcess; port: number }> {
  const main = new URL('../../dist/cli/main.js', import.meta.url).pathname
  const args = ['serve', '--config', await prepare(folder), '--state', join(folder, 'state')]
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, proxy } = JSON.parse(line) as { msg?: string; proxy?: string }
    if (msg === 'listening') return { child, port: Number(proxy?.split(':').at(-1)) }
  }
  throw new Error('the gateway ended before it listened')
}

const ASKED: readonly Omit<Asked, 'token'>[] = [
  { path: '/rows' },
  { path: '/rows', method: 'POST', body: 'x'.repeat(10_000) },
  { path: '/large' },
  { path: '/slow' },
  { path: '/broken' },
  { path: '/rows', method: 'DELETE' },
]

async function client(shape: Shape, reach: Reach, until: number, tokens: readonly string[]) {
  let calls = 0
  for (; Date.now() < until; calls += 1) {
    const asked = ASKED[calls % ASKED.length] as Omit<Asked, 'token'>
    const left = new AbortController()
    // Every third caller does not wait for its answer, or not even for its tunnel.
    const stays = Math.random() * STAYS_MS
    const timer = calls % 3 === 0 ? setTimeout(() => left.abort(), stays) : undefined
    const token = tokens[calls % tokens.length]
    await askIn(shape, reach, { ...asked, token, signal: left.signal }).catch(() => {})
    clearTimeout(timer)
  }
  return calls
}

async function load(reach: Reach, ms: number, tokens: readonly string[]): Promise<number> {
  const until = Date.now() + ms
  const clients = SHAPES.flatMap((shape) =>
    Array.from({ length: CLIENTS_PER_SHAPE }, () => client(shape, reach, until, tokens)),
  )
  const calls = await Promise.all(clients)
  return calls.reduce((sum, one) => sum + one, 0)
}

function report(name: string, { rss, descriptors }: Sample, calls: number): void {
  const megabytes = (rss / 2 ** 20).toFixed(1)
  process.stdout.write(`${name}: ${megabytes} MB, ${descriptors} descriptors, ${calls} calls\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'narrowgate-soak-'))
const { child, port } = await start(folder)
child.stdout?.resume()
try {
  const key = createBuildKey(readFileSync(join(folder, 'state', 'build.key'), 'utf8').trim())
  const tokens = [
    mintToken(key, 'g_soak', ['tools = HTTP_*']),
    mintToken(key, 'g_soak_read', ['tools = HTTP_GET']),
  ]
  const reach = {
    proxyPort: port,
    caPem: readFileSync(join(folder, 'state', 'ca', 'ca.pem'), 'utf8'),
  }
  const total = MINUTES * 60_000
  const warm = await load(reach, total / 5, tokens)
  await delay(REST_MS)
  const before = sampleOf(child)
  report('warm', before, warm)
  const calls = await load(reach, (total * 4) / 5, tokens)
  await delay(REST_MS)
  const after = sampleOf(child)
  report('at the end', after, calls)
  const most = before.rss * (1 + MAY_GROW.share) + MAY_GROW.bytes
  const grew = after.rss > most || after.descriptors > before.descriptors + MAY_GROW.descriptors
  process.stdout.write(grew ? 'grew\n' : 'stayed\n')
  process.exitCode = grew ? 1 : 0
} finally {
  child.kill('SIGTERM')
  await once(child, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { verifySegments } from '../../adapters/ledger/verify.ts'
import { createBuildKey, mintToken } from '../../policy/index.ts'

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname
const CLIENTS = 20
/** Between the first answer of a round and its SIGKILL, in ms. */
const LOAD_MS = { least: 50, most: 350 }

interface Bench {
  readonly folder: string
  readonly upstream: Server
  /** Call numbers that reached the upstream. */
  readonly reached: Set<string>
  /** Receipts of answers that a client received whole. */
  readonly received: Set<string>
  calls: number
}

/**
 * Kills the gateway under load, again and again on the same state, and holds the ledger to its promises: whoever got a
 * whole answer finds its outcome, whatever reached the upstream has an intent, no intent stays open, the chain fits.
 */
export function killUnderLoad(rounds: number): void {
  t.test(`${rounds} rounds of SIGKILL under load`, { timeout: rounds * 20_000 }, async (t) => {
    const bench = await createBench()
    t.teardown(() => {
      bench.upstream.closeAllConnections()
      bench.upstream.close()
      rmSync(bench.folder, { recursive: true, force: true })
    })
    for (let round = 1; round <= rounds; round += 1) await killOnce(bench)
    // One more start recovers what the last kill left.
    const gateway = await startGateway(bench)
    gateway.process.kill('SIGTERM')
    const [code] = (await once(gateway.process, 'exit')) as [number]
    t.equal(code, 0, 'the last start stops in good order')
    await checkLedger(t, bench)
  })
}

async function createBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-kill-'))
  const reached = new Set<string>()
  const upstream = createServer((request, response) => {
    reached.add(new URL(request.url ?? '/', 'http://up.test').searchParams.get('call') ?? '')
    response.end('{"an":"answer"}')
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  writeFileSync(
    join(folder, 'narrowgate.yaml'),
    `
listen: { proxy: "127.0.0.1:0", owner: "127.0.0.1:0" }
log: { level: info }
upstreams: [{ name: up, hosts: ["up.test:80"], address: "127.0.0.1:${port}" }]
`,
  )
  return { folder, upstream, reached, received: new Set(), calls: 0 }
}

interface Running {
  readonly process: ChildProcess
  readonly port: number
}

async function startGateway({ folder }: Bench): Promise<Running> {
  const args = [MAIN, 'serve', '--config', join(folder, 'narrowgate.yaml')]
  const child = spawn(process.execPath, [...args, '--state', join(folder, 'state')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, proxy } = JSON.parse(line) as { msg?: string; proxy?: string }
    if (msg === 'listening') return { process: child, port: Number(proxy?.split(':').at(-1)) }
  }
  throw new Error('the gateway ended before it listened')
}

async function killOnce(bench: Bench): Promise<void> {
  const gateway = await startGateway(bench)
  gateway.process.stdout?.resume()
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const token = tokenOf(bench)
  let running = true
  let begun = () => {}
  const first = new Promise<void>((resolve) => (begun = resolve))
  const client = async () => {
    while (running) {
      const receipt = await call(bench, { port: gateway.port, agent, token })
      if (receipt !== undefined) bench.received.add(receipt)
      begun()
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  await first
  const { least, most } = LOAD_MS
  await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)))
  gateway.process.kill('SIGKILL')
  await once(gateway.process, 'exit')
  running = false
  await Promise.all(clients)
  agent.destroy()
}

function tokenOf({ folder }: Bench): string {
  const key = readFileSync(join(folder, 'state', 'build.key'), 'utf8').trim()
  return mintToken(createBuildKey(key), 'g_kill', ['tools = HTTP_GET', 'task = T-kill'])
}

interface Through {
  readonly port: number
  readonly agent: Agent
  readonly token: string
}

/** The receipt's id where the whole answer came; undefined where the connection broke. */
function call(bench: Bench, { port, agent, token }: Through): Promise<string | undefined> {
  bench.calls += 1
  const credentials = Buffer.from(`agent:${token}`).toString('base64')
  return new Promise((resolve) => {
    const request = get({
      host: '127.0.0.1',
      port,
      agent,
      path: `http://up.test/?call=${bench.calls}`,
      headers: { host: 'up.test', 'proxy-authorization': `Basic ${credentials}` },
    })
    request.on('error', () => resolve(undefined))
    request.on('response', (response) => {
      response.on('error', () => resolve(undefined))
      response.on('close', () => {
        const whole = response.complete && response.statusCode === 200
        resolve(whole ? String(response.headers['receipt']) : undefined)
      })
      response.resume()
    })
  })
}

interface LogRecord {
  readonly kind: string
  readonly n: number
  readonly id?: string
  readonly intent?: number
  readonly outcome?: string
  readonly upstream?: { readonly url: string }
}

async function checkLedger(t: Test, { folder, reached, received }: Bench): Promise<void> {
  const ledger = join(folder, 'state', 'ledger')
  const { verdict, faults, openIntents } = await verifySegments(ledger)
  t.same({ verdict, faults, openIntents }, { verdict: 'ok', faults: [], openIntents: [] })
  const records = readRecords(ledger)
  const intents = new Map(
    records.filter(({ kind }) => kind === 'intent').map((one) => [one.n, one]),
  )
  const outcomes = records.filter(({ kind }) => kind === 'outcome')
  const outcomeOf = new Map(
    outcomes.map(({ intent, outcome }) => [intents.get(intent ?? -1)?.id, outcome]),
  )
  t.same(
    [...received].filter((id) => outcomeOf.get(id) !== 'allowed'),
    [],
    'every answer that was received whole has its outcome',
  )
  t.equal(outcomes.length, intents.size, 'every intent has one outcome')
  const recorded = new Set(
    [...intents.values()].map(({ upstream }) => upstream?.url.split('call=')[1]),
  )
  t.same(
    [...reached].filter((call) => !recorded.has(call)),
    [],
    'nothing reached the upstream unrecorded',
  )
  t.ok(
    received.size > 100,
    `${received.size} answers were received, so that the test means something`,
  )
  const unknown = outcomes.filter(({ outcome }) => outcome === 'unknown').length
  t.comment(`${intents.size} calls, ${received.size} received whole, ${unknown} of unknown fate`)
}

function readRecords(folder: string): readonly LogRecord[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndlog'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line.slice(65)) as LogRecord)
}

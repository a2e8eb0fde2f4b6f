import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { AWS_KEY_ID, KEY } from '../rig/gateway.ts'
import type { Receipt } from '../rig/gateway.ts'
import type { Finished } from '../rig/processes.ts'
import { networkUnavailable } from '../rig/netns.ts'
import { createRig } from '../rig/rig.ts'
import type { Rig } from '../rig/rig.ts'
import { headerOf } from '../rig/upstreams/journal.ts'
import type { Arrival } from '../rig/upstreams/journal.ts'
import { createSandbox, SYSTEM_PATH } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** One program of the matrix: how it is run, and what must be seen of it. */
export interface Client {
  /** As docs/clients.md lists it. */
  readonly name: string
  /** What must be installed: names of programs, or whole paths of programs and folders. */
  readonly needs: readonly string[]
  /** The first major version of Node in which it exists; it is left out in those before. */
  readonly node?: number
  /** The upstream's host. */
  readonly host: string
  /** How the upstream's key goes there; in `authorization`, as a bearer's, by default. */
  readonly slot?: 'authorization' | 'x-api-key' | 'sigv4'
  /** Fetches something from `host`, by HTTPS, with nothing but the sandbox's variables. */
  readonly call: (box: Sandbox) => Promise<Finished>
  /** Asserts that the answer is right. */
  readonly answered: (t: Test, call: Finished, seen: Seen) => void
  /** What the program shows of a refusal. */
  readonly refusal: RegExp
}

/** What else there is to look at after a call. */
export interface Seen {
  readonly box: Sandbox
  /** What reached the upstreams, oldest first. */
  readonly arrivals: readonly Arrival[]
}

/** A token, and the variables that hand it to a program. */
interface Pass {
  readonly token: string
  readonly variables: Readonly<Record<string, string>>
}

/** Where the clients of a file run, one after the other. */
interface Bench {
  readonly rig: Rig
  readonly granted: Pass
  readonly refused: Pass
}

/** One client's time, so that its receipts can be told from those of the others. */
interface Turn {
  readonly client: Client
  readonly outcome: 'allowed' | 'refused'
  /** As receipts write times: ISO 8601, in UTC. */
  readonly from: string
  readonly to: string
}

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
const NODE = Number(process.versions.node.split('.')[0])

/**
 * Registers the tests of a family of clients on one rig: every client of the matrix must do the same. The family has a
 * section of its own in docs/clients.md, with all of its clients and no other.
 */
export function matrix(family: string, ...all: readonly Client[]): void {
  const names = all.map(({ name }) => name)
  t.strictSame(listed(family), names, `docs/clients.md lists the clients of ${family}`)
  const clients = all.filter(({ node = NODE }) => NODE >= node)
  const network = networkUnavailable()
  const missing = clients.map((client) => ({
    client,
    why: network ?? missingProgram(client.needs),
  }))
  for (const { client, why } of missing) if (why !== undefined) skip(client.name, why)
  const present = missing.filter(({ why }) => why === undefined).map(({ client }) => client)
  if (present.length > 0) void t.test('on one rig', (t) => checkAll(t, present))
}

/** The first cells of the table in the section. */
function listed(family: string): readonly string[] {
  const [, rest = ''] = DOCS.split(`\n## ${family}\n`)
  const [section = ''] = rest.split('\n## ')
  return [...section.matchAll(/^\| (?!client |---)([^|]+?) +\|/gm)].map(([, name = '']) => name)
}

/** A missing program is a visible skip at home and a failure in CI. */
function skip(name: string, why: string): void {
  if (process.env['CI'] === 'true') t.fail(`${name} cannot run in CI: ${why}`)
  else void t.test(name, { skip: why }, () => {})
}

function missingProgram(needs: readonly string[]): string | undefined {
  const missing = needs.filter((program) => !isInstalled(program))
  return missing.length === 0
    ? undefined
    : `${missing.join(', ')} not installed: run scripts/setup-tests.sh`
}

function isInstalled(program: string): boolean {
  const places = program.startsWith('/') ? [''] : SYSTEM_PATH.split(':')
  return places.some((place) => {
    try {
      accessSync(join(place, program), program.startsWith('/') ? constants.R_OK : constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

async function checkAll(t: Test, clients: readonly Client[]): Promise<void> {
  const rig = await createRig()
  t.teardown(() => rig.close())
  const bench: Bench = {
    rig,
    granted: await openPass(rig, 'HTTP_*'),
    refused: await openPass(rig, 'SOMETHING_ELSE'),
  }
  const turns: Turn[] = []
  for (const client of clients) {
    await t.test(client.name, async (t) => {
      turns.push(await timed(client, 'allowed', () => checkGranted(t, bench, client)))
      turns.push(await timed(client, 'refused', () => checkRefused(t, bench, client)))
    })
  }
  const receipts = await rig.gateway.receipts()
  for (const turn of turns) checkReceipts(t, receipts, turn)
}

async function openPass(rig: Rig, tools: string): Promise<Pass> {
  const token = await rig.gateway.mint('--tools', tools, '--expires', '2h')
  return { token, variables: await rig.gateway.environment(token) }
}

async function timed(
  client: Client,
  outcome: Turn['outcome'],
  check: () => Promise<void>,
): Promise<Turn> {
  const from = new Date().toISOString()
  await check()
  return { client, outcome, from, to: new Date().toISOString() }
}

async function checkGranted(t: Test, { rig, granted }: Bench, client: Client): Promise<void> {
  const box = createSandbox(rig, granted.variables)
  const before = rig.arrivals().length
  const call = await client.call(box)
  t.equal(call.code, 0, 'the program succeeds', { output: call.output, log: rig.gateway.log() })
  const arrivals = rig.arrivals().slice(before)
  if (call.code === 0) client.answered(t, call, { box, arrivals })
  t.notOk(call.output.includes(KEY), 'the program never sees the key')
  checkArrivals(t, arrivals, { client, token: granted.token })
}

async function checkRefused(t: Test, { rig, refused }: Bench, client: Client): Promise<void> {
  const box = createSandbox(rig, refused.variables)
  const before = rig.arrivals().length
  const call = await client.call(box)
  t.match(call.output, client.refusal, 'the program shows the refusal')
  t.equal(rig.arrivals().length, before, 'nothing reaches the upstream')
}

interface Expected {
  readonly client: Client
  readonly token: string
}

function checkArrivals(
  t: Test,
  all: readonly Arrival[],
  { client: { host, slot = 'authorization' }, token }: Expected,
): void {
  const arrivals = all.filter((arrival) => isAt(arrival.host, host))
  t.ok(arrivals.length > 0, 'the call reaches the upstream')
  for (const arrival of arrivals) {
    const keys = headerOf(arrival, slot === 'x-api-key' ? slot : 'authorization')
    t.equal(keys.length, 1, `${arrival.method} ${arrival.url} has one key`)
    if (slot === 'sigv4') t.match(keys[0], ` Credential=${AWS_KEY_ID}/`, 'the gateway’s')
    else t.equal(keys[0], slot === 'x-api-key' ? KEY : `Bearer ${KEY}`, 'the gateway’s')
    t.strictSame(headerOf(arrival, 'proxy-authorization'), [], 'and no proxy credentials')
  }
  const seen = JSON.stringify(all)
  const basic = Buffer.from(`agent:${token}`).toString('base64')
  t.notOk(seen.includes(token) || seen.includes(basic), 'the upstream never sees the token')
}

/** Whether a Host field names this host or one below it, with or without a port. */
function isAt(field: string, host: string): boolean {
  return `.${field.replace(/:\d+$/, '')}`.endsWith(`.${host}`)
}

function checkReceipts(
  t: Test,
  receipts: readonly Receipt[],
  { client, outcome, from, to }: Turn,
): void {
  const own = receipts.filter(({ opened }) => from <= opened && opened <= to)
  t.ok(
    own.some(
      (receipt) =>
        receipt.outcome === outcome &&
        receipt.door === 'proxy' &&
        JSON.stringify(receipt).includes(client.host),
    ),
    `${client.name}: a receipt tells of the ${outcome} call`,
    { own },
  )
}

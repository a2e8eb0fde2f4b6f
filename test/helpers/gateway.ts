import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { default as t } from 'tap'
import type { Test } from 'tap'
import { stringify } from 'yaml'
import { openEmbeddedGrants } from '../../adapters/grants/embedded.ts'
import { startGateway } from '../../gateway/main.ts'
import type { Gateway } from '../../gateway/main.ts'
import { databaseFiles, statePaths } from '../../gateway/state/paths.ts'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { testEngine } from './engine.ts'
import { eventually } from './eventually.ts'
import { assertAccounts, readRecords, receiptOf } from './records.ts'
import type { LogRecord } from './records.ts'
import { assertSchemas } from './schemas.ts'
import { askIn, HOST, isSecure, MOUNT, openIn } from './shapes.ts'
import type { Asked, Got, Live, Reach, Shape } from './shapes.ts'
import { openUpstreams } from './upstream.ts'
import type { UpstreamOptions, Upstreams } from './upstream.ts'

export { eventually }

/** The key that the gateway holds for the test's upstreams. It has characters that encodings spell apart. */
export const KEY = 'sk-flow/7Qd+93?xK=41~zWm&08'

/** How a whole gateway is set up: what is said here goes for both upstreams. */
export interface Setup extends UpstreamOptions {
  /** Keys of the upstreams, without name and secret. */
  readonly keys?: readonly object[]
  /** More members of both upstreams. */
  readonly upstream?: object
  /** More upstreams. */
  readonly routes?: readonly object[]
  /** Catalog rows without host and scheme: each is made twice, see `rowName`. */
  readonly rows?: readonly { readonly name: string; readonly [field: string]: unknown }[]
  /** More members of the configuration. */
  readonly config?: object
  /** Files beside the configuration, by their names. */
  readonly files?: Readonly<Record<string, string>>
}

/** A whole gateway with upstreams behind it. */
export interface TestGateway extends Reach {
  readonly state: string
  readonly configFile: string
  readonly upstreams: Upstreams
  readonly gateway: Gateway
  mint(...lines: readonly string[]): string
  ask(shape: Shape, asked: Asked): Promise<Got>
  open(shape: Shape, asked: Asked): Promise<Live>
  /** Ends a grant, as `grant revoke` does from another process. */
  revoke(idOrLink: string): void
  metrics(): Promise<string>
  /** All receipts, as the owner's door gives them. */
  receipts(): Promise<readonly LogRecord[]>
  /** The records of the log, from its files. */
  records(): readonly LogRecord[]
  receipt(id: string | undefined): LogRecord | undefined
}

/** Environment of the gateway: the key's value. */
export const ENV = { FLOW_KEY: KEY } as const

/** The name of a row on the upstream of this shape. */
export function rowName(name: string, shape: Shape): string {
  return isSecure(shape) ? `${name}_TLS` : name
}

/** Runs a test against a whole gateway; afterwards its accounts must add up. */
export function flow(
  name: string,
  setup: Setup,
  body: (t: Test, gateway: TestGateway) => Promise<void>,
): Promise<unknown> {
  return t.test(name, (t) => flowIn(t, setup, body))
}

/** The same inside a test that has begun already. */
export async function flowIn(
  t: Test,
  setup: Setup,
  body: (t: Test, gateway: TestGateway) => Promise<void>,
): Promise<void> {
  const gateway = await openGateway(t, setup)
  await body(t, gateway)
  await assertAccounts(t, gateway.state, gateway.metrics)
  await assertIndexed(t, gateway)
  await assertSchemas(t, gateway)
}

/** The index is made from the log; both must hold the same exchanges with the same ends. */
async function assertIndexed(t: Test, gateway: TestGateway): Promise<void> {
  const records = gateway.records()
  const ends = new Map(records.map(({ intent, outcome }) => [intent, outcome]))
  const logged = records
    .filter(({ kind }) => kind === 'intent' || kind === 'refusal')
    .map(({ id, kind, n, outcome }) => `${id} ${kind === 'intent' ? ends.get(n) : outcome}`)
    .sort()
  let indexed: readonly string[] = []
  // A record is seen in the file a moment before it is durable, and the index has what is durable.
  await eventually(async () => {
    indexed = (await gateway.receipts())
      .filter(({ origin = 'gateway' }) => origin === 'gateway')
      .map(({ id, outcome }) => `${id} ${outcome}`)
      .sort()
    return isDeepStrictEqual(indexed, logged)
  })
  t.same(indexed, logged, 'the index holds what the log holds')
}

async function receiptsOf(port: number, state: string): Promise<readonly LogRecord[]> {
  const key = { 'x-narrowgate-key': readFileSync(statePaths(state).ownerKey, 'utf8').trim() }
  const all: LogRecord[] = []
  for (let after: number | null = 0; after !== null;) {
    const text = await read(port, `/api/receipts?order=asc&limit=1000&after=${after}`, key)
    const page = JSON.parse(text) as { receipts: readonly LogRecord[]; next: number | null }
    all.push(...page.receipts)
    after = page.next
  }
  return all
}

/** Starts a gateway in this process; it ends with the test. */
async function openGateway(t: Test, setup: Setup = {}): Promise<TestGateway> {
  const place = await prepare(t, setup)
  const { state, configFile, upstreams } = place
  const gateway = await startGateway({
    configFile,
    state,
    log: 'silent',
    env: ENV,
    cwd: place.folder,
  })
  t.teardown(() => gateway.stop())
  const proxyPort = portOf(gateway.addresses.proxy)
  const reach = { proxyPort, caPem: readFileSync(gateway.caFile, 'utf8') }
  return {
    ...reach,
    state,
    configFile,
    upstreams,
    gateway,
    // Not before it is asked for: the configuration may name another key.
    mint: (...lines) => minter(state)(...lines),
    ask: (shape, asked) => askIn(shape, reach, asked),
    open: (shape, asked) => openIn(shape, reach, asked),
    revoke: (idOrLink) => revoke(state, idOrLink),
    metrics: () => read(portOf(gateway.addresses.owner), '/metrics'),
    receipts: () => receiptsOf(portOf(gateway.addresses.owner), state),
    records: () => readRecords(state),
    receipt: (id) => receiptOf(state, id),
  }
}

/** A folder with a configuration in it, and the upstreams that it names. */
export interface Place {
  readonly folder: string
  readonly state: string
  readonly configFile: string
  readonly upstreams: Upstreams
}

export async function prepare(t: Test, setup: Setup): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-flow-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const state = join(folder, 'state')
  mkdirSync(state, { mode: 0o700 })
  const upstreams = await openUpstreams(t, folder, setup)
  const configFile = join(folder, 'narrowgate.yaml')
  writeFileSync(join(folder, 'catalog.yaml'), stringify({ tools: rowsOf(setup) }))
  for (const [name, text] of Object.entries(setup.files ?? {}))
    writeFileSync(join(folder, name), text)
  writeFileSync(configFile, stringify(configOf(setup, upstreams)))
  return { folder, state, configFile, upstreams }
}

/** The configuration of a set-up. */
function configOf(
  { keys = [], upstream = {}, routes = [], config = {} }: Setup,
  upstreams: Upstreams,
): object {
  const named = (name: string) => ({
    ...upstream,
    name,
    keys: keys.map((key, at) => ({ name: `${name}-${at}`, secret: { env: 'FLOW_KEY' }, ...key })),
  })
  const { plainPort, securePort, caFile } = upstreams
  return {
    listen: { proxy: '127.0.0.1:0', owner: '127.0.0.1:0' },
    upstreams: [
      { ...named('plain'), hosts: [`${HOST}:80`], address: `127.0.0.1:${plainPort}` },
      {
        ...named('secure'),
        hosts: [`${HOST}:443`],
        address: `127.0.0.1:${securePort}`,
        ca: [caFile],
      },
      ...routes,
    ],
    mounts: [{ prefix: MOUNT, to: `http://${HOST}` }],
    catalog: ['./catalog.yaml'],
    engine: testEngine,
    ...config,
  }
}

function rowsOf({ rows = [] }: Setup): readonly object[] {
  return rows.flatMap((row) => [
    { summary: 'test row', ...row, host: HOST, scheme: 'http' },
    { summary: 'test row', ...row, host: HOST, scheme: 'https', name: `${row.name}_TLS` },
  ])
}

/** Mints with the key of a state folder, as the command line does. */
export function minter(state: string): (...lines: readonly string[]) => string {
  const key = createBuildKey(readFileSync(statePaths(state).buildKey, 'utf8').trim())
  return (...lines) => mintToken(key, `grant-${randomBytes(6).toString('hex')}`, lines)
}

function revoke(state: string, idOrLink: string): void {
  const grants = openEmbeddedGrants({ file: databaseFiles(statePaths(state)).grants })
  // The embedded driver is done when these return; only its errors come later.
  void grants.revoke(idOrLink, 'test', Date.now())
  void grants.close()
}

/** The text at a path of the owner's listener. */
export function read(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = get({ host: '127.0.0.1', port, path, headers, agent: false }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      res.once('end', () => resolve(text)).once('error', reject)
    })
    req.once('error', reject)
  })
}

export function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1))
}

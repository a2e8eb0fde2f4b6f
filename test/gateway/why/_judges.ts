import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { stringify } from 'yaml'
import { loadFreshCedar } from '../../../adapters/cedar/fresh.ts'
import { openEmbeddedGrants } from '../../../adapters/grants/embedded.ts'
import type { Grants } from '../../../adapters/grants/port.ts'
import { SecretText } from '../../../adapters/keys/secret.ts'
import type { LedgerRecord } from '../../../adapters/ledger/port.ts'
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'
import { loadConfig } from '../../../gateway/config/index.ts'
import { createExchange } from '../../../gateway/exchange.ts'
import { createFlood } from '../../../gateway/flood.ts'
import type { Exchange, Knock } from '../../../gateway/knock.ts'
import { createGrantLimits } from '../../../gateway/grant-limits.ts'
import { createReadingBudget } from '../../../gateway/reading-budget.ts'
import { createOpenExchanges } from '../../../gateway/open.ts'
import type { JudgingPorts, Ports } from '../../../gateway/ports.ts'
import { offlineJudging } from '../../../gateway/why/offline.ts'
import {
  createBuildKey,
  createCedarEngine,
  mintToken,
  type UseCounters,
} from '../../../policy/index.ts'

const BUILD_KEY = randomBytes(32).toString('base64url')
const OWNER_KEY = randomBytes(32).toString('base64url')

/** A judge, and the real way of a call on the same state: its upstream says 204 to all. */
export interface Judges {
  readonly ports: JudgingPorts
  readonly exchange: Exchange
  readonly grants: Grants
  readonly uses: UseCounters
  readonly time: { now: number }
  /** What was recorded since the last time that it was asked for. */
  takeRecords(): readonly LedgerRecord[]
  mint(...lines: readonly string[]): string
  mintAs(id: string, ...lines: readonly string[]): string
}

export function openJudges(
  t: Test,
  config: object,
  files: Readonly<Record<string, string>>,
): Judges {
  const folder = t.testdir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'narrowgate.yaml'), stringify(config))
  const loaded = loadConfig({ file: join(folder, 'narrowgate.yaml'), env: {}, cwd: folder })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const grants = openEmbeddedGrants({ file: join(folder, 'grants.sqlite') })
  const uses = openEmbeddedUses({ file: join(folder, 'uses.sqlite') })
  t.teardown(async () => {
    await grants.close()
    uses.close()
  })
  const time = { now: Date.UTC(2026, 10, 29, 12) }
  const ports = offlineJudging({
    config: loaded.config,
    buildKeys: [new SecretText('build-key', BUILD_KEY)],
    ownerKey: new SecretText('owner-key', OWNER_KEY),
    grants,
    uses,
    cedar: createCedarEngine({ loadCedar: loadFreshCedar }),
    clock: { now: () => time.now },
    wrap: (name, value) => new SecretText(name, value),
  })
  let records: LedgerRecord[] = []
  const whole = wholePorts(ports, grants, (record) => records.push(record))
  const open = createOpenExchanges(whole)
  const flood = createFlood({ ...whole, perSecond: Infinity })
  t.teardown(async () => {
    open.stop()
    await flood.stop()
  })
  const key = createBuildKey(BUILD_KEY)
  return {
    ports,
    exchange: createExchange(whole, {
      open,
      flood,
      grants: createGrantLimits(whole.clock),
      readings: createReadingBudget(whole.clock),
    }),
    grants,
    uses,
    time,
    takeRecords() {
      const taken = records
      records = []
      return taken
    },
    mint: (...lines) => mintToken(key, `g_${randomBytes(6).toString('hex')}`, lines),
    mintAs: (id, ...lines) => mintToken(key, id, lines),
  }
}

const NOBODY: Ports['inner']['store'] = {
  route() {
    throw new Error('nobody asks for it')
  },
  send: () => Promise.reject(new Error('nobody calls it')),
}

/** The rest of what a call needs: a log in memory, an upstream that answers at once, and no body store. */
function wholePorts(
  ports: JudgingPorts,
  grants: Grants,
  record: (record: LedgerRecord) => void,
): Ports {
  const place = { writer: 'w', n: 0 }
  const noted = async (one: LedgerRecord) => {
    record(one)
    return place
  }
  return {
    ...ports,
    revocations: grants,
    ledger: {
      mode: 'strict',
      intent: noted,
      outcome: async (_, one) => noted(one),
      refusal: noted,
      event: noted,
      head: () => ({ ...place, hash: '0'.repeat(64) }),
      ready: () => ({ ok: true }),
      stats: () => ({ records: 0, syncs: 0, pending: 0, lost: 0 }),
      close: async () => {},
    },
    bodies: {
      writer: () => ({
        write: () => true,
        drained: async () => {},
        finish: async () => ({ sha256: '', bytes: 0, kept: false }),
        abort() {},
      }),
      read: async () => undefined,
      find: async () => undefined,
      list: async () => [],
      onErased() {},
      eraseOlder: async () => ({ bodies: 0, bytes: 0 }),
      stats: () => ({ bodies: 0, bytes: 0, limit: 0 }),
      close: async () => {},
    },
    inner: { store: NOBODY, mcp: NOBODY },
    upstream: {
      send: async () => ({
        status: 204,
        statusText: 'No Content',
        headers: [],
        body: Readable.from([]),
        trailers: () => [],
        address: '192.0.2.1:80',
      }),
      sendOwn: () => Promise.reject(new Error('nobody asked for it')),
      connect: () => Promise.reject(new Error('nobody asked for it')),
      close: async () => {},
    },
    metrics: {
      accepted() {},
      challenged() {},
      ended() {},
      usesSpent() {},
      lost() {},
      shadowed() {},
    },
    log: {
      info() {},
      warn() {},
      error: ({ error }: { error?: unknown }) => {
        throw error
      },
    },
  }
}

/** A request as the doors hand it on. */
export interface Asked {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/** The knock of a well-formed request, made here by hand. */
export function liveKnock(token: string, asked: Asked): Knock {
  const { scheme, host, port, method, path, headers, body } = asked
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]
  return {
    door: 'proxy',
    shape: scheme === 'https' ? 'tunnel-tls' : 'absolute',
    peer: '192.0.2.2:40000',
    httpVersion: '1.1',
    method,
    origin: { scheme, host, port },
    path,
    headers: ['Host', `${host}:${port}`, ...headers.flat(), ...length],
    credential: token,
    // A body of no bytes is none, as doors see it.
    body: body ? Readable.from([Buffer.from(body)]) : null,
    trailers: () => [],
    upgrade: false,
    signal: new AbortController().signal,
    cancel() {},
    proceed() {},
    inform() {},
  }
}

import type { FastifyInstance } from 'fastify'
import { openEmbeddedGrants } from '../../../adapters/grants/embedded.ts'
import type { Grants } from '../../../adapters/grants/port.ts'
import { SecretText } from '../../../adapters/keys/secret.ts'
import type { Receipt, ReceiptQuery } from '../../../adapters/ledger/port.ts'
import { openEmbeddedPersons } from '../../../adapters/persons/embedded.ts'
import type { Parcel } from '../../../adapters/sender/port.ts'
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'
import { articleUnknown } from '../../../gateway/articles/faults.ts'
import { createCursors } from '../../../gateway/cursors.ts'
import { createDirectory } from '../../../gateway/directory.ts'
import { nodeDigests } from '../../../gateway/digests.ts'
import { createIssuer } from '../../../gateway/issuer.ts'
import { createOwnerApp } from '../../../gateway/owner/app.ts'
import type { OwnerEvent, OwnerPorts } from '../../../gateway/owner/ports.ts'
import { createWants } from '../../../gateway/wants.ts'
import { createSessions } from '../../../gateway/persons/session.ts'
import { createBuildKey, type UseCounters } from '../../../policy/index.ts'

export const KEY = 'an-owner-key-of-more-than-32-bytes-1234'
export const WITH_KEY = { 'x-narrowgate-key': KEY }

/** An owner app whose parts can be replaced, and whose clock is moved by hand. */
export interface Rig {
  readonly app: FastifyInstance
  readonly time: { now: number }
  readonly queries: ReceiptQuery[]
  readonly logged: unknown[]
  readonly recorded: OwnerEvent[]
  readonly sent: Parcel[]
  /** Keys of persons, as they were to be stored: `person name value`. */
  readonly stored: string[]
  readonly grants: Grants
  readonly uses: UseCounters
  readonly ports: OwnerPorts
}

/** An index that holds nothing. */
export const EMPTY_INDEX: OwnerPorts['index'] = {
  list: async () => [],
  get: async () => undefined,
  counts: async () => ({}),
  view: async () => ({ rows: [], more: false, seq: 0 }),
  last: async () => 0,
  sync: async () => undefined,
  lag: () => 0,
}

const noArticle = async () => {
  throw articleUnknown()
}

/** A place without articles, where none can be put. */
const NO_ARTICLES: OwnerPorts['articles'] = {
  get: async () => undefined,
  list: async () => [],
  create: noArticle,
  change: noArticle,
  remove: noArticle,
}

/** The last signed head of the rig's log. */
export const CHECKPOINT = { origin: 'log.test/w_1', size: 7, note: 'a signed note\n' }

/** The build key of the rig's tokens. */
export const BUILD_KEY = createBuildKey('a-build-key-of-more-than-32-bytes-12345')

export function createRig(parts: Partial<OwnerPorts> = {}): Rig {
  const time = { now: Date.parse('2026-01-01T00:00:00Z') }
  const queries: ReceiptQuery[] = []
  const logged: unknown[] = []
  const recorded: OwnerEvent[] = []
  const sent: Parcel[] = []
  const stored: string[] = []
  const clock = { now: () => time.now }
  const ownerKey = new SecretText('owner-key', KEY)
  const wrap = (name: string, value: string) => new SecretText(name, value)
  const grants = openEmbeddedGrants({ file: ':memory:' })
  const uses = openEmbeddedUses({ file: ':memory:' })
  const ports: OwnerPorts = {
    clock,
    keyHeaders: () => ['x-narrowgate-key'],
    cursorHeader: () => 'next-cursor',
    headHeader: () => 'ledger-head',
    refusedHeader: () => 'refused',
    answerNames: () => ({ receipt: 'receipt', refused: 'refused' }),
    grants,
    uses,
    issuer: createIssuer({ keys: () => [BUILD_KEY], digests: nodeDigests, maxBytes: 8192 }),
    articles: NO_ARTICLES,
    persons: openEmbeddedPersons({ file: ':memory:', key: undefined, wrap }),
    sessions: createSessions(ownerKey, clock),
    personKeys: {
      usable: () => true,
      names: () => ['github-key'],
      store: async ({ person, name, value }) => void stored.push(`${person} ${name} ${value}`),
    },
    sending: () => ({
      base: 'https://gate.test',
      send: async (parcel) => void sent.push(parcel),
    }),
    recut: {
      bodies: { read: async () => undefined },
      wants: createWants(createCursors(() => [new SecretText('build-key', 'k')])),
      config: () => {
        throw new Error('there is no configuration here')
      },
    },
    wayConfig: () => ({
      owner: { keyHeaders: [], send: undefined },
      ways: { sshHost: undefined, console: undefined },
      doors: { graphql: false, webhook: false },
    }),
    why: async () => ({ allowed: true, reasons: [], lines: [] }),
    record: async (event) => void recorded.push(event),
    log: { error: (fields) => logged.push(fields) },
    ownerKey,
    listen: { kind: 'tcp', host: '127.0.0.1', port: 3129 },
    notReady: () => [],
    registry: {
      contentType: 'text/plain; version=0.0.4',
      metrics: async () => 'narrowgate_up 1\n',
    },
    axes: [
      { name: 'uses', ops: ['<='], value: '0 to 9', says: 'fewer calls', example: 'uses <= 5' },
    ],
    ledger: {
      mode: 'strict',
      head: () => ({ writer: 'w_1', n: 7, hash: 'ab'.repeat(32) }),
      ready: () => ({ ok: true }),
      stats: () => ({ records: 7, syncs: 3, pending: 0, lost: 0 }),
    },
    index: {
      ...EMPTY_INDEX,
      list: async (query) => {
        queries.push(query)
        return [receipt('r1', 1), receipt('r2', 2)]
      },
      get: async (id) => (id === 'r1' ? receipt('r1', 1) : undefined),
      counts: async () => ({ allowed: 2 }),
      last: async () => 2,
      lag: () => 4,
    },
    buckets: new Map(),
    mcpServers: () => [],
    feed: {
      read: async () => [],
      end: () => 0,
      sync: async () => undefined,
      onGrowth: () => () => undefined,
    },
    eraseBodies: async (before) => ({ bodies: 2, bytes: before / 1000 }),
    anchor: { stats: () => ({ backlog: 2, away: false, forks: [] }) },
    proofs: {
      verifierKey: 'log.test+00000000+AQ==',
      start: () => undefined,
      latest: () => CHECKPOINT,
      sign: async () => CHECKPOINT,
      at: async (size) => (size > CHECKPOINT.size ? undefined : { ...CHECKPOINT, size }),
      inclusion: async ({ id }) => ({
        checkpoint: CHECKPOINT,
        records: [{ n: 6, line: `line of ${id}`, path: ['AA=='] }],
      }),
      consistency: async (from, to) =>
        from > to || to > CHECKPOINT.size
          ? undefined
          : { from, to, path: ['AA=='], checkpoint: { ...CHECKPOINT, size: to } },
      fault: () => undefined,
      close: async () => undefined,
    },
    directory: createDirectory(() => []),
    knownNames: () => ({ tools: () => [], hosts: ['api.github.com'] }),
    cursors: createCursors(() => [new SecretText('build-key', 'a secret of the cursors')]),
    exports: { status: () => [] },
    ingest: {
      take: async () => ({ writer: 'w_2', n: 1, hash: 'cd'.repeat(32), added: 1, known: 0 }),
    },
    ingestBytes: () => 1000,
    version: '1.2.3',
    configVersion: () => 'c0ffee',
    configuration: () => [{ path: 'engine', value: 'fast' }],
    holderAddress: () => '127.0.0.1:3128',
    ...parts,
  }
  const app = createOwnerApp(ports, async () => new Response(null))
  return { app, time, queries, logged, recorded, sent, stored, grants, uses, ports }
}

/** A request with a Host that is fine, as fastify's inject would not send one. */
export async function get(
  { app }: Rig,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  remoteAddress = '127.0.0.1',
) {
  const response = await app.inject({
    url,
    headers: { host: '127.0.0.1:3129', ...headers },
    remoteAddress,
  })
  const type = String(response.headers['content-type'])
  const body: unknown = /\bjson\b/.test(type) ? response.json() : response.body
  return { status: response.statusCode, type, headers: response.headers, body }
}

function receipt(id: string, seq: number): Receipt {
  return { id, seq, outcome: 'allowed' }
}

/** Sends a JSON body with the owner key. */
export async function send(
  { app }: Pick<Rig, 'app'>,
  method: 'POST' | 'PUT',
  url: string,
  body: object = {},
) {
  const headers = { ...WITH_KEY, host: '127.0.0.1:3129' }
  const response = await app.inject({ method, url, headers, payload: body })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}

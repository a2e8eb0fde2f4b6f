import type { FastifyInstance } from 'fastify'
import type { Receipt, ReceiptQuery } from '../../../adapters/ledger/port.ts'
import { createOwnerApp } from '../../../gateway/owner/app.ts'
import type { OwnerPorts } from '../../../gateway/owner/ports.ts'

export const KEY = 'an-owner-key-of-more-than-32-bytes-1234'
export const WITH_KEY = { 'x-narrowgate-key': KEY }

/** An owner app whose parts can be replaced, and whose clock is moved by hand. */
export interface Rig {
  readonly app: FastifyInstance
  readonly time: { now: number }
  readonly queries: ReceiptQuery[]
  readonly logged: unknown[]
}

export function createRig(parts: Partial<OwnerPorts> = {}): Rig {
  const time = { now: Date.parse('2026-01-01T00:00:00Z') }
  const queries: ReceiptQuery[] = []
  const logged: unknown[] = []
  const redacted = (): string => 'owner-key'
  const app = createOwnerApp({
    clock: { now: () => time.now },
    log: { error: (fields) => logged.push(fields) },
    ownerKey: {
      name: 'owner-key',
      reveal: () => KEY,
      redacted,
      toJSON: redacted,
      toString: redacted,
    },
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
      stats: () => ({ records: 7, syncs: 3, pending: 0 }),
    },
    index: {
      list: async (query) => {
        queries.push(query)
        return [receipt('r1', 1), receipt('r2', 2)]
      },
      get: async (id) => (id === 'r1' ? receipt('r1', 1) : undefined),
      sync: async () => undefined,
      lag: () => 4,
    },
    version: '1.2.3',
    configVersion: () => 'c0ffee',
    ...parts,
  })
  return { app, time, queries, logged }
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
  const body: unknown = /json/.test(type) ? response.json() : response.body
  return { status: response.statusCode, type, headers: response.headers, body }
}

function receipt(id: string, seq: number): Receipt {
  return { id, seq, outcome: 'allowed' }
}

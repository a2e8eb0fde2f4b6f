import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { SecretText } from '../../../adapters/keys/secret.ts'
import { openExports } from '../../../adapters/exports/open.ts'
import type { ExportNews, Exports, SinkOptions } from '../../../adapters/exports/port.ts'
import type { FeedItem, LedgerFeed } from '../../../adapters/ledger/port.ts'
import type { Bucket } from '../../../adapters/objects/port.ts'

export function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-exports-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A feed that is filled by hand. */
export interface HandFeed extends LedgerFeed {
  /** Adds as many receipts, and an event behind each fourth. */
  add(count: number): void
  readonly items: readonly FeedItem[]
}

const OPENED = Date.parse('2026-11-29T12:00:00.000Z')

/** A receipt as the index joins it, with this number. */
export function receiptOf(seq: number): Record<string, unknown> {
  const time = (ms: number) => new Date(OPENED + seq * 1000 + ms).toISOString()
  return {
    id: `0199d2c4-0000-7000-8000-${String(seq).padStart(12, '0')}`,
    seq,
    opened: time(0),
    closed: time(25),
    origin: 'gateway',
    door: 'proxy',
    peer: '127.0.0.1:50123',
    task: 'T-7/3',
    grant: 'g_1',
    link: 'AAAAAAAAAAAAAAAAAAAAAA',
    envelope: {
      target: 'GITHUB_ISSUES_LIST',
      op: 'call',
      args: { owner: 'a', 'naïve "key"': 'ü' },
    },
    tool: 'GITHUB_ISSUES_LIST',
    upstream: { method: 'GET', url: 'https://api.github.com/repos/a/b/issues?state=open' },
    address: '140.82.121.6:443',
    outcome: 'allowed',
    ran: true,
    status: 200,
    request: { bytes: 0, sha256: 'e3'.repeat(32), truncated: false },
    response: { bytes: 48_210, sha256: 'ab'.repeat(32), truncated: false, body: 'ab'.repeat(32) },
    timing: { token: 0.02, upstream: 20.5 },
    policy: 'c0ffee',
  }
}

export function eventOf(seq: number): Record<string, unknown> {
  const at = new Date(OPENED + seq * 1000).toISOString()
  return { seq, at, event: 'grant_minted', subject: 'g_1', actor: 'owner', data: { lines: [] } }
}

export function itemOf(
  position: number,
  kind: FeedItem['kind'],
  record: object,
  writer = 'w_a',
): FeedItem {
  return { position, id: `${writer}:${position * 2}`, kind, json: JSON.stringify(record) }
}

export function createFeed(writer = 'w_a'): HandFeed {
  const items: FeedItem[] = []
  const listeners = new Set<() => void>()
  const put = (kind: FeedItem['kind']) => {
    const position = items.length + 1
    const record = kind === 'receipt' ? receiptOf(position) : eventOf(position)
    items.push(itemOf(position, kind, record, writer))
  }
  return {
    items,
    add(count) {
      for (let at = 1; at <= count; at += 1) {
        put('receipt')
        if (at % 4 === 0) put('event')
      }
      for (const listener of listeners) listener()
    },
    read: async ({ after, limit }) => items.slice(after, after + Math.min(limit, 7)),
    end: () => items.length,
    sync: async () => undefined,
    onGrowth(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What a collector got, and what it answered. */
export interface Taken {
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly status: number
}

/** How a collector behaves from now on. */
export type Mood =
  | { readonly kind: 'good'; readonly answer?: Buffer }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** Takes the request and never answers. */
  | { readonly kind: 'frozen' }
  /** Breaks the connection off when half of the request's body, or of its own answer, is there. */
  | { readonly kind: 'reset'; readonly when: 'request' | 'answer' }
  | { readonly kind: 'slow'; readonly ms: number }

export interface Collector {
  readonly url: string
  readonly port: number
  /** Requests that were answered with 2xx, in order. */
  readonly taken: Taken[]
  /** How many requests came, answered or not. */
  asked(): number
  be(mood: Mood): void
  stop(): Promise<void>
}

/** A real HTTP server that collects what is posted to it. */
export async function openCollector(t: Test, port = 0): Promise<Collector> {
  const taken: Taken[] = []
  const sockets = new Set<Socket>()
  let mood: Mood = { kind: 'good' }
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    void take(request, response, mood, taken).catch(() => undefined)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  t.teardown(stop)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}/in`,
    port: bound,
    taken,
    asked: () => asked,
    be: (next) => void (mood = next),
    stop,
  }
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  mood: Mood,
  taken: Taken[],
): Promise<void> {
  if (mood.kind === 'reset' && mood.when === 'request') {
    request.once('data', () => request.socket.resetAndDestroy())
    return
  }
  const body = await buffer(request)
  if (mood.kind === 'frozen') return
  if (mood.kind === 'slow') await delay(mood.ms)
  if (mood.kind === 'status') {
    response.writeHead(mood.status, mood.headers).end('no')
    return
  }
  taken.push({ headers: request.headers, body, status: 200 })
  if (mood.kind === 'reset') {
    response.writeHead(200, { 'content-length': 1000 }).write('half of it')
    setTimeout(() => request.socket.resetAndDestroy(), 20)
    return
  }
  response.writeHead(200).end(mood.kind === 'good' ? mood.answer : undefined)
}

const SIGNING = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Options of a webhook. */
export function webhookTo(url: string, more: object = {}): SinkOptions {
  return {
    type: 'webhook',
    name: 'hook',
    url,
    secret: new SecretText('hook', SIGNING),
    authorization: new SecretText('hook', 'Bearer of-the-collector'),
    format: 'json',
    batch: 10,
    deadlineMs: 500,
    ...more,
  }
}

/** Starts exports that end with the test. */
export function start(
  t: Test,
  feed: LedgerFeed,
  parts: {
    readonly folder: string
    readonly sinks: readonly SinkOptions[]
    readonly buckets?: ReadonlyMap<string, Bucket>
  },
): Exports & { readonly news: ExportNews[] } {
  const news: ExportNews[] = []
  const exports = openExports({
    feed,
    buckets: new Map(),
    ...parts,
    version: '1.2.3',
    onNews: (each) => void news.push(each),
  })
  t.teardown(() => exports.close())
  return { ...exports, news }
}

/** Waits until nothing waits. */
export async function drained(exports: Exports, ms = 20_000): Promise<boolean> {
  const until = performance.now() + ms
  while (exports.status().some(({ backlog }) => backlog > 0)) {
    if (performance.now() > until) return false
    await delay(10)
  }
  return true
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { FeedItem, LedgerFeed } from '../../../adapters/ledger/port.ts'
import { pagesOf } from '../../../gateway/owner/feed/pages.ts'
import { createRig, get, KEY, WITH_KEY } from './_owner.ts'

/** A feed that is filled by hand; pages have two items. */
function createFeed(count: number): LedgerFeed & { add(text?: string): void; reads(): number } {
  const items: FeedItem[] = []
  const listeners = new Set<() => void>()
  let reads = 0
  const add = (text = '') => {
    const position = items.length + 1
    const json = JSON.stringify({ seq: position, text })
    items.push({ position, id: `w_1:${position}`, kind: position % 2 ? 'receipt' : 'event', json })
    for (const listener of listeners) listener()
  }
  for (let at = 0; at < count; at += 1) add()
  return {
    add,
    reads: () => reads,
    async read({ after, limit }) {
      reads += 1
      return items.slice(after, after + Math.min(limit, 2))
    },
    end: () => items.length,
    sync: async () => undefined,
    onGrowth(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function line(position: number, text = ''): string {
  const kind = position % 2 ? 'receipt' : 'event'
  const record = JSON.stringify({ seq: position, text })
  return `{"position":${position},"id":"w_1:${position}","kind":"${kind}","record":${record}}`
}

const lines = (...positions: readonly number[]) =>
  positions.map((each) => `${line(each)}\n`).join('')

t.test('what does not fit is refused', async (t) => {
  const rig = createRig({ feed: createFeed(7) })
  const cases = [
    ['?after=8', 'malformed_request', 'after'],
    ['?after=-1', 'malformed_request', 'after'],
    ['?limit=0', 'malformed_request', 'limit'],
    ['?follow=yes', 'malformed_request', 'follow'],
    ['?after=1&after=2', 'malformed_request', 'after'],
    ['?from=1', 'unknown_field', 'from'],
  ] as const
  for (const [query, code, axis] of cases) {
    const { status, body } = await get(rig, `/api/ledger/feed${query}`, WITH_KEY)
    t.equal(status, 400, query)
    t.match(body, { code, reasons: [{ axis }] }, query)
  }
  const headers = { ...WITH_KEY, 'last-event-id': 'x' }
  t.match((await get(rig, '/api/ledger/feed', headers)).body, {
    reasons: [{ axis: 'last-event-id', got: '`x`' }],
  })
  t.equal((await get(rig, '/api/ledger/feed')).status, 401, 'and whoever has no key')
})

/** The app on a real port, and the feed that it serves. */
async function serve(t: Test, feed = createFeed(3)) {
  const { app } = createRig({ feed })
  t.teardown(() => app.close())
  return { app, feed, url: `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/ledger/feed` }
}

const bearer = { authorization: `Bearer ${KEY}` }

t.test('a line for each item behind a position, up to a number of them', async (t) => {
  const { url } = await serve(t, createFeed(7))
  const all = await fetch(url, { headers: bearer })
  t.equal(all.headers.get('content-type'), 'application/x-ndjson')
  t.equal(await all.text(), lines(1, 2, 3, 4, 5, 6, 7))
  const asked = async (query: string) => (await fetch(url + query, { headers: bearer })).text()
  t.equal(await asked('?after=3'), lines(4, 5, 6, 7))
  t.equal(await asked('?after=1&limit=3'), lines(2, 3, 4))
  t.equal(await asked('?after=7'), '')
  const head = await fetch(`${url}?follow=true`, { method: 'HEAD', headers: bearer })
  t.equal(head.status, 200, 'and a HEAD ends')
})

/** Reads a stream of text until it holds this, or ends. */
function reader(response: Response) {
  const stream = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    async until(wanted: string) {
      while (!text.includes(wanted)) {
        const next = await stream?.read()
        if (next?.done !== false) return text
        text += next.value
      }
      return text
    },
    cancel: () => stream?.cancel(),
  }
}

t.test('one that is followed goes on with what comes, and ends in good order', async (t) => {
  const { app, feed, url } = await serve(t)
  const response = await fetch(`${url}?after=2&follow=true`, { headers: bearer })
  const { until } = reader(response)
  t.equal(await until(line(3)), lines(3))
  feed.add()
  t.equal(await until(line(4)), lines(3, 4))
  const closing = app.close()
  t.equal(await until('never'), lines(3, 4), 'an end that the client sees as one')
  await closing
})

t.test('the head of one that has nothing yet comes at once', async (t) => {
  const { url } = await serve(t, createFeed(0))
  const response = await fetch(`${url}?follow=true`, { headers: bearer })
  t.equal(response.status, 200)
  await response.body?.cancel()
})

t.test('as an event stream: the position is the id, and Last-Event-ID resumes', async (t) => {
  const { url } = await serve(t)
  const headers = { ...bearer, accept: 'text/event-stream' }
  const first = await fetch(`${url}?after=1`, { headers })
  t.match(first.headers.get('content-type'), 'text/event-stream')
  const one = reader(first)
  const event = (at: number) =>
    `id: ${at}\nevent: ${at % 2 ? 'receipt' : 'event'}\ndata: ${line(at)}\n\n`
  t.equal(await one.until('id: 3'), event(2) + event(3))
  await one.cancel()
  const resumed = await fetch(`${url}?after=1`, { headers: { ...headers, 'last-event-id': '2' } })
  const two = reader(resumed)
  t.equal(await two.until('id: 3'), event(3), 'it goes before the address')
  await two.cancel()
  const whole = await fetch(`${url}?follow=false`, { headers })
  t.equal(await whole.text(), event(1) + event(2) + event(3))
})

t.test('where nothing happens the stream says that it lives', async (t) => {
  const controller = new AbortController()
  const query = { after: 3, limit: undefined, follow: true }
  const pages = pagesOf(createFeed(3), query, { stopped: controller.signal, idleMs: 10 })
  t.same((await pages.next()).value, [])
  const waiting = pages.next()
  controller.abort()
  t.ok((await waiting).done, 'and it ends at once when it is stopped')
})

/** A client that sends its request and never reads. */
async function frozen(t: Test, url: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  t.teardown(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  const target = `${pathname}?follow=true`
  socket.write(
    `GET ${target} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${KEY}\r\n\r\n`,
  )
  return socket
}

t.test('who does not read gets no more pages, and does not hold up the stop', async (t) => {
  const feed = createFeed(0)
  for (let at = 0; at < 400; at += 1) feed.add('x'.repeat(200_000))
  const { app, url } = await serve(t, feed)
  await frozen(t, url)
  let before = -1
  // What the kernel takes for it differs; it stops somewhere.
  while (feed.reads() !== before) {
    before = feed.reads()
    await delay(300)
  }
  t.ok(before > 0 && before < 100, `of 200 pages ${before} were read`)
  const begun = performance.now()
  await app.close()
  t.ok(performance.now() - begun < 5000)
})

t.test('readers have a number, and one who goes makes room', async (t) => {
  const { url } = await serve(t)
  const ask = () => fetch(`${url}?follow=true`, { headers: bearer })
  const readers = await Promise.all(Array.from({ length: 64 }, ask))
  const refused = await ask()
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '5')
  t.match(await refused.json(), { code: 'overloaded' })
  await readers[0]?.body?.cancel()
  let status = 503
  for (let tries = 0; tries < 100 && status === 503; tries += 1) {
    await delay(20)
    const response = await ask()
    status = response.status
    await response.body?.cancel()
  }
  t.equal(status, 200)
  for (const reader of readers.slice(1)) await reader.body?.cancel()
})

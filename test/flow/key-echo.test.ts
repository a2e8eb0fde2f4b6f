import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { flow, KEY } from '../helpers/gateway.ts'
import { formsOf, leaksIn } from '../helpers/leaks.ts'
import { SHAPES } from '../helpers/shapes.ts'

// An upstream that gives back the key it got, wherever an answer has room for it, in every form.

const FORMS = formsOf(KEY)
const ALL = FORMS.map(({ name, text }) => `${name}: ${text}`).join('\n')

type Place = (res: ServerResponse, req: IncomingMessage) => void | Promise<void>

const PLACES: Readonly<Record<string, Place>> = {
  header(res) {
    FORMS.forEach(({ text }, at) => res.setHeader(`x-form-${at}`, text))
    res.end('seen')
  },
  cookie(res) {
    res.setHeader(
      'set-cookie',
      FORMS.map(({ text }) => `k=${text}; Path=/`),
    )
    res.end('seen')
  },
  location(res) {
    res.writeHead(302, { location: `https://api.test/cb?k=${encodeURIComponent(KEY)}` }).end()
  },
  'status text'(res) {
    res.writeHead(200, `Fine ${KEY}`).end('seen')
  },
  body(res) {
    res.setHeader('content-length', Buffer.byteLength(ALL)).end(ALL)
  },
  async 'body, byte by byte'(res) {
    res.socket?.setNoDelay(true)
    for (const byte of Buffer.from(ALL)) {
      res.write(Buffer.of(byte))
      if (byte % 8 === 0) await new Promise(setImmediate)
    }
    res.end()
  },
  gzip(res) {
    res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(ALL))
  },
  async 'br, in pieces'(res) {
    const coded = brotliCompressSync(ALL)
    res.writeHead(200, { 'content-encoding': 'br' })
    for (let at = 0; at < coded.length; at += 7) {
      res.write(coded.subarray(at, at + 7))
      await new Promise(setImmediate)
    }
    res.end()
  },
  json(res) {
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ key: KEY, deep: [KEY] }))
  },
  trailers(res) {
    res.writeHead(200, { trailer: 'x-end' })
    res.write('seen')
    res.addTrailers({ 'x-end': KEY })
    res.end()
  },
  async information(res, req) {
    req.socket.write(
      `HTTP/1.1 103 Early Hints\r\nlink: <${KEY}>\r\nx-more: ${FORMS[1]?.text}\r\n\r\n`,
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    res.end('seen')
  },
  /** The head breaks HTTP, so that the refusal speaks of it. */
  'the text of a refusal'(_res, req) {
    req.socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: ${KEY}, chunked\r\n\r\n`)
  },
  'a coding of that name'(res) {
    res.writeHead(200, { 'content-encoding': KEY }).end('seen')
  },
}

const serve = async (req: IncomingMessage, res: ServerResponse) => {
  if (req.headers['x-key'] !== KEY) return void res.writeHead(500).end('no key came')
  const place = PLACES[decodeURIComponent(req.url?.slice(1) ?? '')]
  await place?.(res, req)
  if (!res.closed && res.writableEnded) await once(res, 'close').catch(() => undefined)
}

flow('no client sees the key', { keys: [{ header: 'x-key' }], serve }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES) {
    for (const place of Object.keys(PLACES)) {
      const got = await gateway.ask(shape, { token, path: `/${encodeURIComponent(place)}` })
      t.same(leaksIn(got.seen, KEY), [], `${shape}: ${place}`)
      t.not(got.status, 500, 'the upstream had the key')
    }
  }
})

flow(
  'the test sees what is not masked',
  { serve: (_req, res) => void res.end(ALL) },
  async (t, gateway) => {
    const got = await gateway.ask('absolute', { token: gateway.mint('tools = HTTP_*') })
    t.same(
      leaksIn(got.seen, KEY),
      FORMS.map(({ name }) => name),
    )
  },
)

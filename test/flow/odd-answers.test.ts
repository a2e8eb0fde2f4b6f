import type { ServerResponse } from 'node:http'
import { eventually, flow } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

// Answers that Node's HTTP/1 parser takes and its writers do not: none may reach past its own exchange.

const lines = (...texts: readonly string[]) => texts.join('\r\n')
const OK = lines('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok')

const ANSWERS: Readonly<Record<string, readonly [text: string, status: number, body: string]>> = {
  '/doubled-hint': [
    lines('HTTP/1.1 103 Early', 'Content-Type: a', 'Content-Type: b', '', OK),
    200,
    'ok',
  ],
  '/doubled': [
    lines(
      'HTTP/1.1 200 OK',
      'X-Content-Type-Options: nosniff',
      'X-Content-Type-Options: nosniff',
      'Transfer-Encoding: chunked',
      '',
      '2',
      'ok',
      '0',
      '',
      '',
    ),
    200,
    'ok',
  ],
  '/205': [lines('HTTP/1.1 205 Reset', 'Transfer-Encoding: chunked', '', '0', '', ''), 205, ''],
  '/phrase': [
    lines('HTTP/1.1 200 O\x01K', 'Transfer-Encoding: chunked', '', '2', 'ok', '0', '', ''),
    200,
    'ok',
  ],
  '/999': [lines('HTTP/1.1 999 Denied', 'Content-Length: 2', '', 'no'), 999, 'no'],
}
const INVALID: Readonly<Record<string, string>> = {
  '/000': lines('HTTP/1.1 000 Zero', 'Content-Length: 2', '', 'ok'),
  '/050': lines('HTTP/1.1 050 Low', 'Content-Length: 2', '', 'ok'),
  '/hints': lines('HTTP/1.1 103 Early', '', '').repeat(100) + OK,
}

function serve({ req, socket }: ServerResponse): void {
  const path = req.url ?? ''
  socket?.end(Buffer.from(ANSWERS[path]?.[0] ?? INVALID[path] ?? OK, 'latin1'))
}

const closed = (gateway: TestGateway, id: string | undefined) =>
  eventually(() => gateway.receipt(id)?.outcome !== undefined)

flow(
  'an odd answer passes, with a good receipt',
  { serve: (_req, res) => serve(res) },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      for (const [path, [, sent, body]] of Object.entries(ANSWERS)) {
        const status = shape === 'tunnel-h2' && sent > 599 ? 502 : sent
        const got = await gateway.ask(shape, { token, path })
        t.equal(got.status, status, `${shape} ${path}`)
        t.equal(got.text, body)
        await closed(gateway, got.header('receipt'))
        t.match(gateway.receipt(got.header('receipt')), { outcome: 'allowed', status: sent })
      }
    }
  },
)

flow(
  'an answer that is none is a failed exchange',
  { serve: (_req, res) => serve(res) },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      for (const path of Object.keys(INVALID)) {
        const got = await gateway.ask(shape, { token, path })
        t.match([got.status, got.header('refused')], [502, 'upstream_invalid'], `${shape} ${path}`)
        await closed(gateway, got.header('receipt'))
        t.match(gateway.receipt(got.header('receipt')), { outcome: 'failed' })
      }
    }
  },
)

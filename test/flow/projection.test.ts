import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { flow } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'
import type { Shape } from '../helpers/shapes.ts'
import { answerJson } from '../helpers/upstream.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly user: { readonly login: string; readonly secret: string }
  readonly pad: string
}

/** Rows whose JSON has about so many bytes. */
function rowsOf(bytes: number): readonly Row[] {
  const count = Math.max(2, Math.floor(bytes / 1000))
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `row ${id}`,
    user: { login: `u${id % 7}`, secret: 'hidden' },
    pad: 'é"\\'.repeat(Math.floor(bytes / count / 8)),
  }))
}

const SIZES: Readonly<Record<string, number>> = { '/1k': 1000, '/65537': 65_537, '/3m': 3_000_000 }

/** JSON of exactly `bytes` bytes, where that is asked for. */
function textOf(path: string): string {
  const text = JSON.stringify(rowsOf(SIZES[path] ?? 1000))
  const missing = 65_537 - Buffer.byteLength(text)
  return path === '/65537' && missing > 0 ? text + ' '.repeat(missing) : text
}

function serve(req: IncomingMessage, res: ServerResponse): void {
  const text = textOf(req.url ?? '')
  res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  for (let at = 0; at < text.length; at += 50_000) res.write(text.slice(at, at + 50_000))
  res.end()
}

flow(
  'a selection, as a list and as JSON, of short and long answers',
  { serve },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const path of Object.keys(SIZES)) {
      const rows = JSON.parse(textOf(path)) as readonly Row[]
      const named = rows.map(({ name, user: { login } }) => ({ name, user: { login } }))
      const wants: readonly (readonly [string, unknown])[] = [
        ['name,user.login', named],
        ['{"select":["name","user.login"]}', named],
        ['{"where":{"id":{"lt":2}},"select":["id"]}', [{ id: 0 }, { id: 1 }]],
      ]
      for (const [want, expected] of wants)
        for (const shape of SHAPES) {
          const got = await gateway.ask(shape, { token, path, headers: { want } })
          t.same(JSON.parse(got.text), expected, `${shape}: ${want} of ${path}`)
          const before = Buffer.byteLength(textOf(path))
          const label = before <= 65_536 ? `${before}->${got.bytes.length}` : 'streamed'
          t.equal(got.header('projected'), label)
          t.same(gateway.receipt(got.header('receipt'))?.projected, [before, got.bytes.length])
        }
    }
  },
)

flow('figures and order, over all that passed the filter', { serve }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const want = { want: JSON.stringify({ order: ['-id'], page: { limit: 2 }, select: ['id'] }) }
  const count = JSON.stringify({ where: { 'user.login': 'u1' }, want: { shape: 'count' } })
  const rows = rowsOf(3_000_000)
  for (const shape of SHAPES) {
    const last = await gateway.ask(shape, { token, path: '/3m', headers: want })
    t.same(
      JSON.parse(last.text),
      rows
        .slice(-2)
        .toReversed()
        .map(({ id }) => ({ id })),
      shape,
    )
    const counted = await gateway.ask(shape, { token, path: '/3m', headers: { want: count } })
    t.equal(
      Number(/\d+/.exec(counted.text)?.[0]),
      rows.filter(({ user }) => user.login === 'u1').length,
    )
  }
})

flow('pages followed to the end give every row once', { serve }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const rows = rowsOf(65_537)
  for (const shape of SHAPES) {
    const seen: number[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page = { limit: 10, ...(cursor === undefined ? {} : { cursor }) }
      const want = JSON.stringify({ order: ['user.login'], select: ['id'], page })
      const got = await gateway.ask(shape, { token, path: '/65537', headers: { want } })
      seen.push(...(JSON.parse(got.text) as { id: number }[]).map(({ id }) => id))
      cursor = got.header('next-cursor')
      pages += 1
    } while (cursor !== undefined && pages < 50)
    t.equal(pages, Math.ceil(rows.length / 10), shape)
    t.same(
      [...seen].sort((a, b) => a - b),
      rows.map(({ id }) => id),
    )
  }
})

flow(
  'cursors stand beside rows that are a member',
  {
    serve: (_req, res) => answerJson(res, { total: 3, items: [{ id: 1 }, { id: 2 }, { id: 3 }] }),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const ask = async (shape: Shape, cursor?: string) => {
      const page = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      const headers = { want: JSON.stringify({ select: ['total', 'items[].id'], page }) }
      const { text } = await gateway.ask(shape, { token, headers })
      return JSON.parse(text) as { items: object[]; cursor: string; next: string | null }
    }
    for (const shape of SHAPES) {
      const first = await ask(shape)
      t.match(first, { total: 3, items: [{ id: 1 }, { id: 2 }], cursor: String }, shape)
      t.match(await ask(shape, String(first.next)), { items: [{ id: 3 }], next: null })
    }
  },
)

flow('a forged cursor', { serve }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const want = JSON.stringify({ page: { limit: 1, cursor: 'bm90IG91cnM' } })
  const got = await gateway.ask('absolute', { token, headers: { want } })
  t.same([got.status, got.header('refused')], [400, 'malformed_request'])
})

flow(
  'an answer in gzip or br is cut down all the same',
  {
    serve(req, res) {
      const text = textOf('/65537')
      const coded = req.url === '/br' ? brotliCompressSync(text) : gzipSync(text)
      res
        .writeHead(200, {
          'content-type': 'application/json',
          'content-encoding': req.url?.slice(1),
        })
        .end(coded)
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const expected = rowsOf(65_537).map(({ id }) => ({ id }))
    for (const shape of SHAPES)
      for (const path of ['/gzip', '/br']) {
        const headers = { want: 'id', 'accept-encoding': 'gzip, br, zstd' }
        const got = await gateway.ask(shape, { token, path, headers })
        t.same(JSON.parse(got.text), expected, `${shape}: ${path}`)
        t.equal(got.header('content-encoding'), undefined)
      }
  },
)

flow(
  'rows of JSON lines go on as they come',
  {
    async serve(_req, res) {
      res.writeHead(200, { 'content-type': 'application/x-ndjson' })
      res.write('{"id":1,"pad":"x"}\n')
      await new Promise<void>((resolve) => (proceed = resolve))
      res.end('{"id":2,"pad":"x"}\n')
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const live = await gateway.open(shape, { token, headers: { want: 'id' } })
      let text = ''
      for await (const chunk of live.body) {
        text += String(chunk)
        if (text === '{"id":1}\n') proceed()
      }
      live.leave()
      t.equal(
        text,
        '{"id":1}\n{"id":2}\n',
        `${shape}: the first was there before the second was sent`,
      )
    }
  },
)

let proceed = () => {}

flow(
  'big numbers and escapes keep their bytes',
  {
    serve: (_req, res) =>
      void res
        .setHeader('content-type', 'application/json')
        .end('[{"n":12345678901234567890.10,"s":"\\u00e9\\/","x":1}]'),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, headers: { want: 'n,s' } })
      t.equal(got.text, '[{"n":12345678901234567890.10,"s":"\\u00e9\\/"}]', shape)
    }
  },
)

flow(
  'want never reaches the upstream',
  {
    serve: (req, res) => answerJson(res, { headers: Object.keys(req.headers) }),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, headers: { want: 'headers' } })
      t.notMatch(got.text, 'want', shape)
    }
  },
)

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flow, KEY } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { leaksIn } from '../helpers/leaks.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

const PLACEHOLDER = '__flow_key__'
const URL_KEY = encodeURIComponent(KEY)

/** Gives back what it got, so that the answer is masked and the test asks the journal. */
function journal() {
  const got: {
    url: string
    body: string
    length: string | undefined
    md5: unknown
    path: string
  }[] = []
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const body = String(await bodyOf(req).catch(() => 'broken off'))
    if (req.destroyed && !req.complete) return
    const { pathname } = new URL(req.url ?? '', 'http://a.test')
    const { 'content-length': length, 'content-md5': md5 } = req.headers
    got.push({ url: req.url ?? '', body, length, md5, path: decodeURIComponent(pathname) })
    res.setHeader('location', `https://api.test${req.url}`)
    res.statusCode = pathname.startsWith('/moved') ? 302 : 200
    res.end(`${req.url}\n${body}`)
  }
  return { got, serve }
}

/** What the gateway wrote down of a call, the kept body included. */
function written(gateway: TestGateway, id: string | undefined): string {
  const receipt = gateway.receipt(id)
  const kept = (receipt?.['request'] as { body?: string } | undefined)?.body
  const body =
    kept === undefined
      ? ''
      : readFileSync(join(gateway.state, 'bodies', kept.slice(0, 2), kept.slice(2)))
  return `${JSON.stringify(receipt)}\n${body.toString()}`
}

const urls = journal()

flow(
  'path and query',
  {
    keys: [
      { placeholder: PLACEHOLDER, paths: ['/bot*', '/moved*'] },
      { query: 'api_key', methods: ['POST'] },
    ],
    serve: urls.serve,
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*', `arg HTTP_GET.url_path glob */bot${PLACEHOLDER}/*`)
    for (const shape of SHAPES) {
      const path = `/bot${PLACEHOLDER}/send?k=%5F_flow_key__&other=1`
      const got = await gateway.ask(shape, { token, path })
      t.equal(got.status, 200, shape)
      t.equal(urls.got.at(-1)?.path, `/bot${KEY}/send`, 'the key in the path')
      t.ok(urls.got.at(-1)?.url.endsWith(`?k=${URL_KEY.replaceAll('%3A', ':')}&other=1`))
      t.same(leaksIn(got.seen, KEY), [], 'not even in the Location')
      t.ok(written(gateway, got.header('receipt')).includes(`/bot${PLACEHOLDER}/send`))
      t.same(leaksIn(written(gateway, got.header('receipt')), KEY), [])

      const posted = await gateway.ask(shape, {
        token,
        path: '/a?api_key=mine&b=1',
        method: 'POST',
        body: 'x',
      })
      t.equal(posted.status, 200)
      t.equal(urls.got.at(-1)?.url, `/a?api_key=${URL_KEY.replaceAll('%3A', ':')}&b=1`)

      const other = await gateway.ask(shape, { token, path: `/moved?k=${PLACEHOLDER}` })
      t.equal(other.header('refused'), 'arg_refused', 'what is judged has the placeholder in it')
    }
  },
)

flow(
  'a redirect that holds the key is masked, and not followed',
  { keys: [{ placeholder: PLACEHOLDER, paths: ['/moved*'] }], serve: urls.serve },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const before = urls.got.length
      const got = await gateway.ask(shape, { token, path: `/moved?k=${PLACEHOLDER}` })
      t.equal(got.status, 302, shape)
      t.match(got.header('location'), /^https:\/\/api\.test\/moved\?k=\*+$/)
      t.equal(urls.got.length - before, 1, 'one call')
      const other = await gateway.ask(shape, { token, path: `/else?k=${PLACEHOLDER}` })
      t.match([other.status, other.header('refused')], [403, 'placeholder_not_for_host'])
      t.equal(gateway.receipt(other.header('receipt'))?.ran, false)
    }
  },
)

const bodies = journal()
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

flow(
  'bodies, where that was asked for',
  {
    keys: [{ placeholder: PLACEHOLDER, places: ['body'], paths: ['/in'] }],
    serve: bodies.serve,
    config: { limits: { judged_body_bytes: 100_000 } },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const post = (path: string, type: Record<string, string>, body: string | Readable) =>
        gateway.ask(shape, { token, path, method: 'POST', headers: type, body })
      const text = `{"a":"x${PLACEHOLDER}","n":1e2}`
      const digested = { ...JSON_TYPE, 'content-md5': 'bWQ1' }
      await post('/in', digested, '[1]')
      t.equal(bodies.got.at(-1)?.md5, 'bWQ1', 'a digest of what is sent as it came')
      const json = await post('/in', digested, text)
      t.equal(bodies.got.at(-1)?.md5, undefined, 'none of what was changed')
      const expected = text.replace(PLACEHOLDER, JSON.stringify(KEY).slice(1, -1))
      t.equal(bodies.got.at(-1)?.body, expected, `${shape}: JSON`)
      t.equal(bodies.got.at(-1)?.length, String(Buffer.byteLength(expected)), 'its length')
      t.same(leaksIn(json.seen, KEY), [])
      t.ok(written(gateway, json.header('receipt')).includes(text), 'kept as the client sent it')
      t.same(leaksIn(written(gateway, json.header('receipt')), KEY), [])

      await post('/in', FORM_TYPE, Readable.from([`a=1&k=${PLACEHOLDER.slice(0, 6)}`, '_key__']))
      t.equal(new URLSearchParams(bodies.got.at(-1)?.body).get('k'), KEY, 'a form in pieces')
      await post('/in', { 'content-type': 'text/plain' }, PLACEHOLDER)
      t.equal(bodies.got.at(-1)?.body, PLACEHOLDER, 'another type is not looked into')

      const before = bodies.got.length
      const outcome = async (path: string, body: string | Readable) => {
        const got = await post(path, JSON_TYPE, body)
        return [got.status, got.header('refused')]
      }
      const refused = [403, 'placeholder_not_for_host']
      t.same(await outcome('/in', `{"${PLACEHOLDER}":1}`), refused, 'in a name')
      t.same(await outcome('/out', text), refused, 'where the key is not for')
      t.same(
        await outcome('/out', Readable.from(['["', 'y'.repeat(200_000), '__flow', '_key__"]'])),
        refused,
        'behind much else',
      )
      t.same(await outcome('/in', `"${'y'.repeat(100_001)}"`), [413, 'too_large'])
      t.equal(bodies.got.length, before, 'nothing of it arrived whole')
      t.same(await outcome('/out', '{"a":1}'), [200, undefined], 'and the way is free again')
    }
  },
)

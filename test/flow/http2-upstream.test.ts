import t from 'tap'
import type { Test } from 'tap'
import type { SecureServerOptions, ServerHttp2Stream } from 'node:http2'
import { createSecureServer } from 'node:http2'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../adapters/upstream/helpers/certificate.ts'
import { flowIn } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'

type Head = Readonly<Record<string, unknown>>

interface Origin {
  readonly config: (more?: object) => object
  /** Version and head of each request that arrived. */
  readonly arrived: { readonly version: string; readonly head: Head }[]
}

async function openOrigin(
  t: Test,
  serve: (stream: ServerHttp2Stream) => void,
  options: SecureServerOptions = {},
): Promise<Origin> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-http2-'))
  const identity = await selfSigned(HOST)
  writeFileSync(join(folder, 'ca.pem'), identity.cert)
  const arrived: Origin['arrived'] = []
  const server = createSecureServer({ ...identity, ...options })
  server.on('stream', (stream, head) => {
    arrived.push({ version: '2.0', head })
    stream.on('error', () => {})
    serve(stream)
  })
  if (options.allowHTTP1 === true)
    server.on('request', (req, res) => {
      if (req.httpVersion === '2.0') return
      arrived.push({ version: req.httpVersion, head: req.headers })
      res.end('over 1.1')
    })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstream = { name: 'origin', hosts: [HOST], address, ca: [join(folder, 'ca.pem')] }
  return { arrived, config: (more = {}) => ({ upstreams: [{ ...upstream, ...more }] }) }
}

t.test('HTTP/2 all the way, with trailers', async (t) => {
  const origin = await openOrigin(t, (stream) => {
    stream.respond({ ':status': 200, 'x-a': '1' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7' }))
    stream.end('ok')
  })
  await flowIn(t, { config: origin.config() }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const got = await gateway.ask('tunnel-h2', { token, path: '/a%2Fb?c=+d;e' })
    t.same([got.status, got.text, got.header('x-a'), got.whole], [200, 'ok', '1', true])
    t.same(got.trailers().slice(0, 2), ['x-sum', '7'])
    t.match(origin.arrived, [
      { version: '2.0', head: { ':path': '/a%2Fb?c=+d;e', ':authority': HOST } },
    ])
  })
})

t.test('a client of HTTP/1.1, and an upstream that speaks HTTP/2 alone', async (t) => {
  const origin = await openOrigin(t, (stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7' }))
    stream.pipe(stream)
  })
  await flowIn(t, { config: origin.config() }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const body of ['one', 'two']) {
      const got = await gateway.ask('tunnel-h1', { token, method: 'POST', body })
      t.same([got.status, got.statusText, got.text], [200, 'OK', body])
      t.same(got.trailers(), ['x-sum', '7'])
    }
    t.same(
      origin.arrived.map(({ version }) => version),
      ['2.0', '2.0'],
    )
  })
})

t.test('a client of HTTP/1.1 gets it where the upstream speaks both', async (t) => {
  const origin = await openOrigin(
    t,
    (stream) => {
      stream.respond()
      stream.end('over 2')
    },
    { allowHTTP1: true },
  )
  await flowIn(t, { config: origin.config() }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    t.equal((await gateway.ask('tunnel-h1', { token })).text, 'over 1.1')
    t.match(origin.arrived, [{ version: '1.1' }])
  })
})

t.test('gRPC messages in a coding are not let through where a key could be in them', async (t) => {
  const origin = await openOrigin(t, (stream) => {
    stream.respond({ 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' })
    stream.end('\0\0\0\0\0')
  })
  const keys = [{ name: 'grpc', secret: { env: 'FLOW_KEY' }, header: 'authorization' }]
  const headers = {
    'content-type': 'application/grpc',
    'grpc-accept-encoding': 'gzip',
    te: 'trailers',
  }
  await flowIn(t, { config: origin.config({ keys }) }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const got = await gateway.ask('tunnel-h2', { token, method: 'POST', headers, body: 'x' })
    t.match(origin.arrived, [{ head: { 'grpc-accept-encoding': 'identity', te: 'trailers' } }])
    t.match(
      [got.status, got.header('refused'), got.header('grpc-status'), got.header('grpc-message')],
      [200, 'encoding_not_inspectable', '2', /^encoding_not_inspectable: the upstream%E2%80%99s/],
    )
  })
})

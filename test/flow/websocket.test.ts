import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { eventually, flow, KEY } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { basic, HOST, MOUNT, openTls, openTunnel } from '../helpers/shapes.ts'
import type { Shape } from '../helpers/shapes.ts'

// WebSocket in every shape that can carry one: HTTP/2 needs extended CONNECT, which is not offered.

type WsShape = Exclude<Shape, 'tunnel-h2'>
const WS_SHAPES: readonly WsShape[] = ['absolute', 'tunnel-h1', 'tunnel-clear', 'mount']

const server = new WebSocketServer({ noServer: true })

const ECHO: Setup = {
  upgrade(req, socket, head) {
    server.handleUpgrade(req, socket, head, (ws) => {
      ws.send('early')
      ws.on('message', (data, isBinary) => ws.send(data as Buffer, { binary: isBinary }))
    })
  },
}

/** A client of the `ws` package whose connection is this shape's. */
async function connect(gateway: TestGateway, shape: WsShape, token: string): Promise<WebSocket> {
  const { proxyPort } = gateway
  if (shape === 'mount')
    return new WebSocket(`ws://127.0.0.1:${proxyPort}${MOUNT}/`, {
      headers: { authorization: `Bearer ${token}` },
    })
  if (shape === 'absolute')
    return new WebSocket(`ws://127.0.0.1:${proxyPort}/`, {
      headers: { host: HOST, 'proxy-authorization': basic(`agent:${token}`) },
      finishRequest: (req) => {
        Object.assign(req, { path: `http://${HOST}/` })
        req.end()
      },
    })
  const socket = await tunnel(gateway, shape, token)
  return new WebSocket(`ws://${HOST}/`, { createConnection: () => socket })
}

function tunnel(gateway: TestGateway, shape: WsShape, token: string): Promise<Socket> {
  return shape === 'tunnel-h1'
    ? openTls(gateway, { token }, 'http/1.1')
    : openTunnel(gateway, token, `${HOST}:80`)
}

function receiptOfLast(gateway: TestGateway) {
  const intent = gateway.records().findLast(({ kind }) => kind === 'intent')
  return gateway.receipt(intent?.id)
}

flow('echo, with a frame that comes along with the switch', ECHO, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  for (const shape of WS_SHAPES) {
    const ws = await connect(gateway, shape, token)
    const [early] = (await once(ws, 'message')) as [Buffer]
    t.equal(early.toString(), 'early', shape)
    for (const text of ['hello', 'x'.repeat(300_000)]) {
      ws.send(text)
      const [echoed] = (await once(ws, 'message')) as [Buffer]
      t.ok(echoed.toString() === text, `${shape}: ${text.length} characters came back`)
    }
    ws.close(1000)
    await once(ws, 'close')
    t.ok(
      await eventually(() => receiptOfLast(gateway)?.outcome === 'allowed'),
      `${shape}: its receipt closed`,
    )
    t.match(receiptOfLast(gateway), { status: 101, ran: true })
  }
})

flow('a frame that comes along with the request', ECHO, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  // A masked text frame `hi` (RFC 6455, 5.2), its mask all zeros.
  const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
  for (const shape of ['tunnel-h1', 'tunnel-clear'] as const) {
    const socket = await tunnel(gateway, shape, token)
    const head = [
      'GET / HTTP/1.1',
      `Host: ${HOST}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
    ]
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), frame]))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    t.ok(await eventually(() => text.endsWith('\x81\x02hi')), `${shape}: its echo came back`)
    t.match(text, /^HTTP\/1\.1 101 /)
    socket.destroy()
  }
})

flow('a refusal is an HTTP answer', ECHO, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_POST')
  for (const shape of WS_SHAPES) {
    const ws = await connect(gateway, shape, token)
    const [, res] = (await once(ws, 'unexpected-response')) as [
      unknown,
      { statusCode: number; headers: object },
    ]
    t.match(
      { ...res.headers, status: res.statusCode },
      { status: 403, refused: 'tool_not_granted' },
      shape,
    )
    ws.on('error', () => {}).terminate()
  }
})

flow(
  'an upstream that does not switch',
  { serve: (_req, res) => void res.writeHead(404).end('no') },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_GET')
    const req = httpRequest({
      host: '127.0.0.1',
      port: gateway.proxyPort,
      path: `${MOUNT}/`,
      headers: { connection: 'upgrade', upgrade: 'websocket', authorization: `Bearer ${token}` },
    })
    req.end()
    const [res] = (await once(req, 'response')) as [{ statusCode: number; resume(): void }]
    res.resume()
    t.equal(res.statusCode, 404)
  },
)

flow(
  'a key in a message is masked',
  {
    keys: [{ header: 'x-key' }],
    upgrade(req, socket, head) {
      server.handleUpgrade(req, socket, head, (ws) =>
        ws.send(`key ${String(req.headers['x-key'])}`),
      )
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_GET')
    for (const shape of WS_SHAPES) {
      const ws = await connect(gateway, shape, token)
      const [got] = (await once(ws, 'message')) as [Buffer]
      t.equal(got.toString(), `key ${'*'.repeat(KEY.length)}`, shape)
      ws.terminate()
    }
  },
)

import { once } from 'node:events'
import { WebSocket, WebSocketServer } from 'ws'
import type { RawData } from 'ws'
import { eventually, flow, KEY } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { formsOf, leaksIn } from '../helpers/leaks.ts'
import { HOST, MOUNT, openTls, openTunnel } from '../helpers/shapes.ts'

// Real clients and servers of the `ws` package on both sides of the gateway.

const PLACEHOLDER = '__flow_key__'
const WS_SHAPES = ['tunnel-h1', 'tunnel-clear', 'mount'] as const
const server = new WebSocketServer({ noServer: true, perMessageDeflate: true })

async function connect(
  gateway: TestGateway,
  shape: (typeof WS_SHAPES)[number],
  { token, path = '/' }: { readonly token: string; readonly path?: string },
): Promise<WebSocket> {
  if (shape === 'mount')
    return new WebSocket(`ws://127.0.0.1:${gateway.proxyPort}${MOUNT}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  const socket =
    shape === 'tunnel-h1'
      ? await openTls(gateway, { token }, 'http/1.1')
      : await openTunnel(gateway, token, `${HOST}:80`)
  return new WebSocket(`ws://${HOST}${path}`, { createConnection: () => socket })
}

/** Sends one message in fragments of one character. */
function sendInPieces(ws: WebSocket, text: string, binary = false): void {
  for (const [at, symbol] of text.split('').entries())
    ws.send(symbol, { binary, fin: at === text.length - 1, compress: false })
}

const heard: string[] = []

const ECHO: Setup = {
  keys: [{ placeholder: PLACEHOLDER, places: ['websocket'], paths: ['/', '/in'] }],
  upgrade(req, socket, head) {
    server.handleUpgrade(req, socket, head, (ws) => {
      ws.on('error', () => {})
      ws.on('message', (data: RawData, isBinary) => {
        heard.push(`${isBinary ? 'binary' : 'text'} ${(data as Buffer).toString()}`)
        if (isBinary) for (const { text } of formsOf(KEY)) sendInPieces(ws, `<${text}>`, true)
        else sendInPieces(ws, `you said ${(data as Buffer).toString()}`)
      })
    })
  },
}

flow(
  'keys go into texts, in whatever fragments, and come back masked',
  ECHO,
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_GET')
    for (const shape of WS_SHAPES) {
      const ws = await connect(gateway, shape, { token })
      await once(ws, 'open')
      t.equal(ws.extensions, '', `${shape}: no compression`)
      const text = `{"auth":"${PLACEHOLDER}","and":"${PLACEHOLDER}","ü":1}`
      const expected = `text ${text.replaceAll(PLACEHOLDER, KEY)}`
      for (const send of [() => ws.send(text), () => sendInPieces(ws, text)]) {
        send()
        const [said] = (await once(ws, 'message')) as [Buffer]
        t.equal(heard.at(-1), expected, shape)
        t.equal(said.toString(), `you said ${text.replaceAll(PLACEHOLDER, '*'.repeat(KEY.length))}`)
      }
      const answers: string[] = []
      ws.on('message', (data: RawData) => answers.push((data as Buffer).toString('latin1')))
      ws.send(Buffer.from(PLACEHOLDER))
      t.ok(await eventually(() => answers.length === formsOf(KEY).length), `${shape}: all came`)
      t.equal(heard.at(-1), `binary ${PLACEHOLDER}`, 'binary messages are not looked into')
      t.same(leaksIn(answers.join('\n'), KEY), [])
      ws.ping('still there')
      const [pong] = (await once(ws, 'pong')) as [Buffer]
      t.equal(pong.toString(), 'still there')
      ws.close(1000, 'done')
      const [code] = (await once(ws, 'close')) as [number]
      t.equal(code, 1000)
    }
  },
)

flow('a placeholder without its key ends the socket and says so', ECHO, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  for (const shape of WS_SHAPES) {
    const before = heard.length
    const ws = await connect(gateway, shape, { token, path: '/out' })
    await once(ws, 'open')
    sendInPieces(ws, `a ${PLACEHOLDER} b`)
    const [code, reason] = (await once(ws, 'close')) as [number, Buffer]
    t.same([code, reason.toString()], [1008, 'placeholder_not_for_host'], shape)
    t.equal(heard.length, before, 'the message did not arrive')
    const intent = gateway.records().findLast(({ kind }) => kind === 'intent')
    const receipt = () => gateway.receipt(intent?.id)
    t.ok(await eventually(() => receipt()?.['code'] === 'placeholder_not_for_host'), 'its receipt')
  }
})

flow(
  'frames that nobody agreed on end the socket',
  {
    keys: [{ header: 'x-key' }],
    upgrade(_req, socket) {
      socket.on('error', () => {})
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n',
      )
      // `ws` checks the digest of its own key, so this client reads the bytes.
      socket.write('\r\n')
      socket.write(Buffer.concat([Buffer.of(0xc1, KEY.length), Buffer.from(KEY)]))
    },
  },
  async (t, gateway) => {
    const socket = await openTunnel(gateway, gateway.mint('tools = HTTP_GET'), `${HOST}:80`)
    let seen = ''
    socket.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1'))).on('error', () => {})
    socket.write(
      [
        'GET / HTTP/1.1',
        `Host: ${HOST}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
      ].join('\r\n'),
    )
    if (!socket.closed) await once(socket, 'close')
    t.match(seen, /^HTTP\/1\.1 101 /)
    t.same(leaksIn(seen, KEY), [])
    const intent = gateway.records().findLast(({ kind }) => kind === 'intent')
    t.ok(await eventually(() => gateway.receipt(intent?.id)?.['code'] === 'upstream_invalid'))
  },
)

import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { flow } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { ofExchanges } from '../helpers/records.ts'
import { assertRefused } from '../helpers/refused.ts'
import { basic, HOST, MOUNT, openTls, openTunnel, SHAPES } from '../helpers/shapes.ts'
import type { Shape } from '../helpers/shapes.ts'

// Requests that two parties could read differently, or that name two places at once.

/** A connection on which the next bytes are a request in this shape. */
function rawIn(shape: Shape, gateway: TestGateway, token: string): Promise<Socket> {
  if (shape === 'tunnel-h1') return openTls(gateway, { token }, 'http/1.1')
  if (shape === 'tunnel-clear') return openTunnel(gateway, token, `${HOST}:80`)
  const socket = connect(gateway.proxyPort, '127.0.0.1')
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

interface RawBad {
  readonly name: string
  readonly fields: readonly string[]
  readonly status: number
  /** Undefined where the parser refuses, so that no exchange begins. */
  readonly receipted: boolean
}

const RAW: readonly RawBad[] = [
  { name: 'two Hosts', fields: [`Host: ${HOST}`, `Host: ${HOST}`], status: 400, receipted: true },
  { name: 'no Host', fields: [], status: 400, receipted: true },
  {
    name: 'a length and a coding',
    fields: [`Host: ${HOST}`, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    status: 400,
    receipted: false,
  },
  {
    name: 'two lengths',
    fields: [`Host: ${HOST}`, 'Content-Length: 5', 'Content-Length: 6'],
    status: 400,
    receipted: false,
  },
  {
    name: 'a coding under chunked',
    fields: [`Host: ${HOST}`, 'Transfer-Encoding: gzip, chunked'],
    status: 400,
    receipted: true,
  },
  {
    name: 'a space before the colon',
    fields: [`Host: ${HOST}`, 'X-A : b'],
    status: 400,
    receipted: false,
  },
  {
    name: 'a bare line feed in a field',
    fields: [`Host: ${HOST}`, 'X-A: b\n c'],
    status: 400,
    receipted: false,
  },
  {
    name: 'a head that is too large',
    fields: [`Host: ${HOST}`, `X-A: ${'a'.repeat(70_000)}`],
    status: 431,
    receipted: false,
  },
]

flow('requests that two parties could read differently', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES.filter((each) => each !== 'tunnel-h2'))
    for (const { name, fields, status, receipted } of RAW) {
      const before = ofExchanges(gateway.records()).length
      const socket = await rawIn(shape, gateway, token)
      socket.on('error', () => {})
      const target = { absolute: `http://${HOST}/`, mount: `${MOUNT}/` }[shape as string] ?? '/'
      const credential =
        shape === 'mount'
          ? `Authorization: Bearer ${token}`
          : `Proxy-Authorization: ${basic(`agent:${token}`)}`
      const inside = shape === 'tunnel-h1' || shape === 'tunnel-clear'
      const head = [
        `POST ${target} HTTP/1.1`,
        ...fields,
        ...(inside ? [] : [credential]),
        'Connection: close',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
      await once(socket, 'close')
      t.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), `${shape}: ${name}`)
      t.match(text, /refused: (?:malformed_request|headers_too_large)/i)
      t.equal(ofExchanges(gateway.records()).length - before, receipted ? 1 : 0, 'its receipt')
    }
  t.equal(gateway.upstreams.arrived.length, 0, 'nothing arrived')
})

flow('CONNECT to what is no authority', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const target of [
    HOST,
    `${HOST}:0`,
    `${HOST}:99999`,
    `http://${HOST}/`,
    `${HOST}:443/x`,
    '[::1',
    'a b:443',
  ]) {
    const socket = connect(gateway.proxyPort, '127.0.0.1')
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${HOST}\r\nProxy-Authorization: ${basic(`agent:${token}`)}\r\n\r\n`,
    )
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    t.match(chunk.toString(), /^HTTP\/1\.1 400 [^]*refused: malformed_request/i, target)
    socket.destroy()
  }
  t.equal(gateway.upstreams.arrived.length, 0)
})

flow('a tunnel, a TLS name and a Host that do not agree', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES.filter((each) => each !== 'mount')) {
    const got = await gateway.ask(shape, { token, headers: { host: 'other.test' } })
    assertRefused(t, gateway, got, { status: 421, code: 'authority_mismatch', name: shape })
  }
})

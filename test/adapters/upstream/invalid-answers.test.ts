import t from 'tap'
import {
  faultOf,
  heads,
  OK,
  rawServer,
  requestTo,
  send,
  textOf,
  upstreamFor,
} from './helpers/upstream.ts'

const chunked = 'Transfer-Encoding: chunked\r\n'

const HEADS: Readonly<Record<string, string>> = {
  'length, then chunked': `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${chunked}\r\n0\r\n\r\n`,
  'chunked, then length': `HTTP/1.1 200 OK\r\n${chunked}Content-Length: 2\r\n\r\n0\r\n\r\n`,
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
  'two equal lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
  'a length list': 'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok',
  'another transfer coding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok',
  'chunked not last': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nok',
  'chunked twice': `HTTP/1.1 200 OK\r\n${chunked}${chunked}\r\n0\r\n\r\n`,
  'status 000': 'HTTP/1.1 000 Zero\r\nContent-Length: 2\r\n\r\nok',
  'status 050': 'HTTP/1.1 050 Low\r\nContent-Length: 2\r\n\r\nok',
  'status 101 without an upgrade': 'HTTP/1.1 101 Switching\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 1000 High\r\nContent-Length: 2\r\n\r\nok',
  'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n',
  'a folded line': 'HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n',
  'a space before the colon': 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok',
  'NUL in a value': 'HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n',
  'a head without end': `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`,
}

for (const [name, text] of Object.entries(HEADS)) {
  t.test(`${name} is invalid and the connection is not used again`, async (t) => {
    const server = await rawServer(t, (socket, _soFar, connection) =>
      socket.write(connection === 0 ? text : OK),
    )
    const upstream = upstreamFor(t)
    const fault = await faultOf(send(upstream, requestTo(server.port)))
    t.equal(fault['code'], 'upstream_invalid', String(fault['message']))
    t.equal(fault['sent'], 'unknown')
    t.equal(await textOf((await send(upstream, requestTo(server.port))).body), 'ok')
    t.same(server.received.map(heads), [1, 1])
  })
}

const BODIES: Readonly<Record<string, readonly [text: string, code: string]>> = {
  'a broken chunk': [`HTTP/1.1 200 OK\r\n${chunked}\r\n2\r\nokXX`, 'upstream_invalid'],
  'a chunk size with a sign': [
    `HTTP/1.1 200 OK\r\n${chunked}\r\n+2\r\nok\r\n0\r\n\r\n`,
    'upstream_invalid',
  ],
  'a chunked body cut off': [`HTTP/1.1 200 OK\r\n${chunked}\r\n2\r\nok\r\n`, 'upstream_failed'],
  'a body short of its length': [
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok',
    'upstream_failed',
  ],
}

for (const [name, [text, code]] of Object.entries(BODIES)) {
  t.test(`${name} breaks the body, it never looks whole`, async (t) => {
    const server = await rawServer(t, (socket) => {
      socket.write(text.slice(0, text.indexOf('\r\n\r\n') + 4))
      setTimeout(() => socket.end(text.slice(text.indexOf('\r\n\r\n') + 4)), 20)
    })
    const answer = await send(upstreamFor(t), requestTo(server.port))
    const fault = await faultOf(textOf(answer.body))
    t.equal(fault['code'], code, String(fault['message']))
  })
}

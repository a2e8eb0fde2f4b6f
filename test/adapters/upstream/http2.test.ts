import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { selfSigned } from './helpers/certificate.ts'
import { frame, frameServer, goaway, half, ok } from './helpers/http2-frames.ts'
import { http2Server } from './helpers/http2-server.ts'
import { overHttp2 } from './helpers/over-http2.ts'
import { faultOf, send, textOf, upstreamFor } from './helpers/upstream.ts'

t.test('head, body and trailers, both ways', async (t) => {
  const told: string[] = []
  const server = await http2Server(t, (stream) => {
    stream.on('trailers', (fields) => told.push(String(fields['x-sum'])))
    stream.on('data', (part: Buffer) => told.push(String(part)))
    stream.on('end', () => {
      stream.additionalHeaders({ ':status': 103, link: '</a>' })
      stream.respond({ ':status': 201, 'set-cookie': ['a=1', 'b=2'] }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-after': '9' }))
      stream.end('said')
    })
  })
  const informed: unknown[] = []
  const answer = await send(
    upstreamFor(t),
    overHttp2(server, {
      method: 'POST',
      path: '/a%2Fb?c=d',
      headers: ['Host', 'up.test', 'X-One', '1', 'Cookie', 'k=v', 'x-two', '2', 'X-One', '3'],
      body: Readable.from([Buffer.from('asked')]),
      trailers: () => ['X-Sum', '7'],
      onInformation: (status, fields) => informed.push([status, fields[0], fields[1]]),
    }),
  )
  t.same([answer.status, answer.statusText], [201, 'Created'])
  t.same(answer.headers.slice(0, 4), ['set-cookie', 'a=1', 'set-cookie', 'b=2'])
  t.equal(await textOf(answer.body), 'said')
  t.same(answer.trailers(), ['x-after', '9'])
  t.same(told, ['asked', '7'])
  t.same(informed, [[103, 'link', '</a>']])
  t.equal(answer.address, `127.0.0.1:${server.port}`)
  t.equal(
    server.heads[0]?.join(' '),
    ':method POST :scheme https :authority up.test :path /a%2Fb?c=d x-one 1 x-one 3 cookie k=v x-two 2',
  )
})

t.test('many requests share a connection, and nothing of one stays for the next', async (t) => {
  const server = await http2Server(t, (stream) => {
    stream.respond()
    stream.end('ok')
  })
  const counted: string[] = []
  const upstream = upstreamFor(t, { metrics: { count: (event) => void counted.push(event) } })
  const ask = async () => textOf((await send(upstream, overHttp2(server))).body)
  t.same(await Promise.all(Array.from({ length: 20 }, ask)), Array(20).fill('ok'))
  t.same(await ask(), 'ok')
  t.equal(server.count(), 1)
  t.same(counted.filter((event) => event === 'opened').length, 1)
  t.equal(server.sessions[0]?.state.inflateDynamicTableSize, 0, 'no field is kept for later')
})

t.test('more than an upstream takes at a time go over more connections', async (t) => {
  const waiting: (() => void)[] = []
  const server = await http2Server(
    t,
    (stream) => {
      waiting.push(() => {
        stream.respond()
        stream.end('ok')
      })
      if (waiting.length === 5) for (const answer of waiting) answer()
    },
    { settings: { maxConcurrentStreams: 2 } },
  )
  const upstream = upstreamFor(t)
  const ask = async () => textOf((await send(upstream, overHttp2(server))).body)
  t.same(await Promise.all(Array.from({ length: 5 }, ask)), Array(5).fill('ok'))
  t.equal(server.count(), 3)
})

t.test('an upstream of HTTP/1.1 is asked over the connection that was made', async (t) => {
  const identity = await selfSigned('127.0.0.1')
  let connections = 0
  const server = createServer(identity, (req, res) => res.end(`over ${req.httpVersion}`))
  server.on('secureConnection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  const place = { port: (server.address() as AddressInfo).port, ca: identity.cert }
  const upstream = upstreamFor(t)
  for (const method of ['GET', 'GET', 'POST'])
    t.equal(await textOf((await send(upstream, overHttp2(place, { method }))).body), 'over 1.1')
  t.equal(connections, 1)
})

t.test('an upstream that speaks HTTP/2 alone is reached by clients of HTTP/1.1', async (t) => {
  const server = await http2Server(t, (stream) => {
    stream.respond()
    stream.end('ok')
  })
  const upstream = upstreamFor(t)
  for (const at of [1, 2]) {
    const body = Readable.from([Buffer.from('x')])
    const headers = ['Host', 'up.test', 'Content-Length', '1']
    const request = overHttp2(server, { http2: false, method: 'POST', headers, body })
    t.equal(await textOf((await send(upstream, request)).body), 'ok', `call ${at}`)
  }
  t.equal(server.count(), 1)
})

t.test('a client of HTTP/1.1 gets it where the upstream speaks both', async (t) => {
  const server = await http2Server(t, (stream) => stream.close(), { allowHTTP1: true })
  const answer = await send(upstreamFor(t), overHttp2(server, { http2: false }))
  t.equal(await textOf(answer.body), 'over 1.1')
})

t.test('what was refused unseen is sent once more', async (t) => {
  let refusals = 0
  const server = await http2Server(t, (stream) => {
    refusals += 1
    if (refusals === 1) return stream.close(0x7)
    stream.respond()
    stream.end('ok')
  })
  const answer = await send(upstreamFor(t), overHttp2(server, { method: 'POST' }))
  t.equal(await textOf(answer.body), 'ok')
  t.equal(refusals, 2)
})

t.test('a body that began is never sent twice', async (t) => {
  const server = await http2Server(t, (stream) => stream.close(0x7))
  const body = Readable.from([Buffer.from('x')])
  const fault = await faultOf(send(upstreamFor(t), overHttp2(server, { method: 'POST', body })))
  t.match(fault, { code: 'upstream_failed', sent: 'no' })
  t.equal(server.heads.length, 1)
})

t.test('an upstream that asks for HTTP/1.1 gets it', async (t) => {
  const server = await http2Server(t, (stream) => stream.close(0xd), { allowHTTP1: true })
  const upstream = upstreamFor(t)
  for (const method of ['GET', 'POST'])
    t.equal(await textOf((await send(upstream, overHttp2(server, { method }))).body), 'over 1.1')
  t.equal(server.heads.length, 1)
})

t.test('after GOAWAY what is under way ends well, and the next goes elsewhere', async (t) => {
  const server = await http2Server(t, (stream) => {
    stream.respond()
    stream.write('first ')
    stream.session?.goaway()
    setImmediate(() => stream.end('last'))
  })
  const upstream = upstreamFor(t)
  for (const at of [1, 2])
    t.equal(await textOf((await send(upstream, overHttp2(server))).body), 'first last', `${at}`)
  t.equal(server.count(), 2)
})

t.test('what came after the last stream of a GOAWAY is sent once more', async (t) => {
  const server = await frameServer(t, (socket, stream, turn) => {
    if (turn === 1) return void socket.end(goaway(0, 0x0))
    socket.write(Buffer.concat([ok(stream), half(stream), frame(0, 1, stream)]))
  })
  const answer = await send(upstreamFor(t), overHttp2(server, { method: 'POST' }))
  t.equal(await textOf(answer.body), 'half')
  t.equal(server.requests(), 2)
})

t.test('a head that HTTP does not allow', async (t) => {
  // `:status: 101` as a literal field; HTTP/2 has no upgrade (RFC 9113, 8.6).
  const server = await frameServer(t, (socket, stream) => {
    socket.write(frame(1, 5, stream, '\x08\x03101'))
  })
  t.match(await faultOf(send(upstreamFor(t), overHttp2(server, { method: 'POST' }))), {
    code: 'upstream_invalid',
  })
})

t.test('an answer shorter than its length shows', async (t) => {
  const server = await http2Server(t, (stream) => {
    stream.respond({ 'content-length': '10' })
    stream.end('half')
  })
  const answer = await send(upstreamFor(t), overHttp2(server))
  t.match(await faultOf(textOf(answer.body)), { code: 'upstream_invalid', sent: 'unknown' })
})

t.test('an end with the head is told with the head', async (t) => {
  const server = await http2Server(t, (stream) => {
    stream.respond({ 'grpc-status': '5' }, { endStream: true })
  })
  const { ca, port } = server
  const upstream = upstreamFor(t)
  const answer = await send(upstream, overHttp2({ ca, port }))
  t.equal(await textOf(answer.body), '')
  t.same(answer.headers.slice(0, 2), ['grpc-status', '5'])
})

t.test('a caller who goes resets its stream alone', async (t) => {
  const resets: number[] = []
  const server = await http2Server(t, (stream, fields) => {
    stream.on('close', () => resets.push(stream.rstCode ?? 0))
    if (fields.includes('/quick')) {
      stream.respond()
      stream.end('ok')
    }
  })
  const upstream = upstreamFor(t)
  const gone = new AbortController()
  const slow = faultOf(send(upstream, overHttp2(server, { path: '/slow', signal: gone.signal })))
  const quick = () => send(upstream, overHttp2(server, { path: '/quick' }))
  t.equal(await textOf((await quick()).body), 'ok')
  gone.abort()
  t.match(await slow, { code: 'upstream_failed', sent: 'unknown' })
  t.equal(await textOf((await quick()).body), 'ok')
  t.equal(server.count(), 1)
  t.ok(resets.includes(0x8), 'the upstream is told')
})

t.test('an answer that nobody reads on is given up', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const server = await http2Server(t, (stream) => {
    closed = once(stream, 'close').then(() => stream.rstCode)
    stream.respond()
    stream.write('x')
  })
  const answer = await send(upstreamFor(t), overHttp2(server))
  answer.body.destroy()
  t.equal(await closed, 0x8)
})

t.test('an upstream that is silent', async (t) => {
  const server = await http2Server(t, (stream, fields) => {
    if (!fields.includes('/began')) return
    stream.respond()
    stream.write('x')
  })
  const upstream = upstreamFor(t)
  const timeouts = { connect: 5_000, head: 100, idle: 100 }
  t.match(await faultOf(send(upstream, overHttp2(server, { timeouts }))), {
    code: 'upstream_timeout',
    sent: 'unknown',
  })
  const began = await send(upstream, overHttp2(server, { timeouts, path: '/began' }))
  t.match(await faultOf(textOf(began.body)), { code: 'upstream_timeout' })
})

t.test('a body that waits to be asked for', async (t) => {
  const server = await http2Server(t, (stream, fields) => {
    const told: string[] = []
    stream.on('data', (part: Buffer) => told.push(String(part)))
    if (fields.includes('/no')) {
      stream.respond({ ':status': 417 })
      return stream.end()
    }
    setTimeout(() => {
      told.push('|')
      stream.additionalHeaders({ ':status': 100 })
    }, 50)
    stream.on('end', () => {
      stream.respond()
      stream.end(told.join(''))
    })
  })
  const upstream = upstreamFor(t)
  const headers = ['Host', 'up.test', 'Expect', '100-continue', 'Content-Length', '4']
  const body = () => Readable.from([Buffer.from('body')])
  const asked = overHttp2(server, { method: 'PUT', headers, body: body() })
  t.equal(await textOf((await send(upstream, asked)).body), '|body')
  const unread = body()
  const refused = overHttp2(server, { method: 'PUT', path: '/no', headers, body: unread })
  t.equal((await send(upstream, refused)).status, 417)
  t.equal(unread.readableDidRead, false, 'nothing of it was sent')
})

t.test('a certificate that is not trusted', async (t) => {
  const server = await http2Server(t, (stream) => stream.close())
  const other = await selfSigned('127.0.0.1')
  const fault = await faultOf(
    send(upstreamFor(t), overHttp2({ port: server.port, ca: other.cert })),
  )
  t.match(fault, { code: 'upstream_failed', sent: 'no' })
  t.equal(server.heads.length, 0)
})

import t from 'tap'
import { OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

t.test('method, path and fields leave in their order and spelling', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const headers = ['hOsT', 'up.test', 'X-b', '2', 'x-A', '1', 'X-b', '3', 'Cookie', 'a=1']
  const answer = await send(
    upstreamFor(t),
    requestTo(server.port, {
      method: 'PROPFIND',
      path: '/a%2Fb?x=%20',
      headers: [...headers, 'Content-Length', '0'],
    }),
  )
  t.equal(await textOf(answer.body), 'ok')
  t.equal(
    server.received[0],
    'PROPFIND /a%2Fb?x=%20 HTTP/1.1\r\nhOsT: up.test\r\nX-b: 2\r\nx-A: 1\r\nX-b: 3\r\nCookie: a=1\r\n' +
      'Content-Length: 0\r\nConnection: keep-alive\r\n\r\n',
  )
  t.equal(answer.address, `127.0.0.1:${server.port}`)
})

t.test('status text, repeated fields and trailers come back as they were', async (t) => {
  const server = await rawServer(t, (socket) =>
    socket.end(
      'HTTP/1.1 418 Short And Stout\r\nSet-Cookie: a\r\nX-Y: 1\r\nset-cookie: b\r\n' +
        'Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n',
    ),
  )
  const answer = await send(upstreamFor(t), requestTo(server.port))
  t.equal(answer.status, 418)
  t.equal(answer.statusText, 'Short And Stout')
  t.same(answer.headers.slice(0, 6), ['Set-Cookie', 'a', 'X-Y', '1', 'set-cookie', 'b'])
  t.equal(await textOf(answer.body), 'hi')
  t.same(answer.trailers(), ['X-Sum', '1', 'x-sum', '2'])
})

t.test('a redirect is passed through, never followed', async (t) => {
  const server = await rawServer(t, (socket) =>
    socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
  )
  const answer = await send(upstreamFor(t), requestTo(server.port))
  t.equal(answer.status, 302)
  t.equal(server.received.length, 1)
})

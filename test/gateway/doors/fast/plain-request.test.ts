import t from 'tap'
import { readPlainRequest } from '../../../../gateway/doors/fast/plain-request.ts'
import { fuzz } from './fuzz.ts'

const read = (...lines: readonly string[]) => readPlainRequest(lines.join('\r\n'))

t.test('what is plain', async (t) => {
  t.same(read('GET / HTTP/1.1', 'Host: a'), {
    method: 'GET',
    target: '/',
    headers: ['Host', 'a'],
    length: 0,
    close: false,
  })
  t.match(read('POST /x HTTP/1.1', 'Host: a', 'content-length: 12'), { length: 12 })
  t.match(read('GET / HTTP/1.1', 'Host: a', 'connection: CLOSE'), { close: true })
  t.match(read('GET http://a.test:80/ HTTP/1.1', 'Host: a.test', 'Connection: keep-alive'), {
    close: false,
  })
})

for (const [name, lines] of Object.entries({
  'a tunnel': ['CONNECT a:443 HTTP/1.1', 'Host: a'],
  'a method that few know': ['PROPFIND / HTTP/1.1', 'Host: a'],
  'no Host': ['GET / HTTP/1.1'],
  'two Hosts': ['GET / HTTP/1.1', 'Host: a', 'host: b'],
  'two lengths': ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 1'],
  'a length with a sign': ['POST / HTTP/1.1', 'Host: a', 'Content-Length: +1'],
  'an empty length': ['POST / HTTP/1.1', 'Host: a', 'Content-Length:'],
  'a tab behind a length': ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1\t'],
  chunks: ['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked'],
  'an expectation': ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Expect: 100-continue'],
  'an upgrade': ['GET / HTTP/1.1', 'Host: a', 'Upgrade: websocket'],
  'a named header': ['GET / HTTP/1.1', 'Host: a', 'Connection: x-a'],
  'announced trailers': ['GET / HTTP/1.1', 'Host: a', 'Trailer: x'],
  'a fragment': ['GET /#x HTTP/1.1', 'Host: a'],
  'an asterisk': ['OPTIONS * HTTP/1.1', 'Host: a'],
  'a user in the target': ['GET http://u@a.test/ HTTP/1.1', 'Host: a.test'],
  'https in the target': ['GET https://a.test/ HTTP/1.1', 'Host: a.test'],
})) {
  t.test(`${name} is for the general engine`, async (t) => {
    t.equal(read(...lines), undefined)
  })
}

t.test('llhttp reads the same of 20,000 mutated requests, wherever they are taken', async (t) => {
  const { accepted, differences } = await fuzz(20_000, 8)
  t.same(differences, [])
  t.ok(accepted > 2_000, `${accepted} were taken`)
})

/** An answer of the upstream as raw bytes (latin1), and what the client may see of it. */
export interface HostileAnswer {
  readonly name: string
  readonly bytes: string
  /** `invalid`: a 502; `cut`: the body breaks off, it never looks whole; `whole`: it passes, what lies behind does not. */
  readonly sees: 'invalid' | 'cut' | 'whole'
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const EVIL = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'

const head = (name: string, bytes: string): HostileAnswer => ({ name, bytes, sees: 'invalid' })
const field = (name: string, line: string) =>
  head(name, `${OK}${line}\r\nContent-Length: 2\r\n\r\nok`)
const coding = (name: string, line: string) =>
  head(name, `${OK}${line}\r\n\r\n2\r\nok\r\n0\r\n\r\n`)
const length = (name: string, text: string) => head(name, `${OK}Content-Length:${text}\r\n\r\nok`)
const chunks = (name: string, body: string): HostileAnswer => ({
  name,
  bytes: `${OK}${CHUNKED}\r\n${body}`,
  sees: 'cut',
})

/** Answers behind which nobody can say where the next one begins. Their connection is never used again. */
export const HOSTILE: readonly HostileAnswer[] = [
  coding('a length before chunks', `Content-Length: 2\r\n${CHUNKED.trim()}`),
  coding('a length behind chunks', `${CHUNKED}Content-Length: 2`),
  coding('a length of none and chunks', `Content-Length: 0\r\n${CHUNKED.trim()}`),
  coding('chunked twice', `${CHUNKED}${CHUNKED.trim()}`),
  coding('chunked twice in a list', 'Transfer-Encoding: chunked, chunked'),
  coding('gzip under chunked', 'Transfer-Encoding: gzip, chunked'),
  coding('gzip over chunked', 'Transfer-Encoding: chunked, gzip'),
  coding('the coding identity', 'Transfer-Encoding: identity'),
  coding('an unknown coding', 'Transfer-Encoding: xchunked'),
  coding('an empty coding', 'Transfer-Encoding:'),
  coding('a coding with a parameter', 'Transfer-Encoding: chunked;q=1'),
  coding('a coding with a vertical tab', 'Transfer-Encoding: \x0bchunked'),
  coding('a coding with a space before the colon', 'Transfer-Encoding : chunked'),
  coding('a folded coding', 'Transfer-Encoding:\r\n chunked'),
  head('two equal lengths', `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`),
  head('two lengths', `${OK}Content-Length: 2\r\nContent-Length: 9\r\n\r\nok`),
  length('a length as a list', ' 2, 2'),
  length('a length with a sign', ' +2'),
  length('a negative length', ' -2'),
  length('a length in hexadecimal', ' 0x2'),
  length('an empty length', ''),
  length('a length past 64 bits', ' 18446744073709551618'),
  length('a length with a space inside', ' 2 2'),
  field('a folded line', 'X-A: 1\r\n 2'),
  field('a bare line feed', 'X-A: 1\nX-B: 2'),
  field('a bare carriage return', 'X-A: 1\rX-B: 2'),
  field('a NUL', 'X-A: \0'),
  field('a control byte', 'X-A: \x01'),
  field('a space before the colon', 'X-A : 1'),
  field('a line without a colon', 'garbage'),
  field('an empty name', ': 1'),
  field('a head without end', `X-A: ${'a'.repeat(70_000)}`),
  head('a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('a status of letters', 'HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok'),
  head('the status 000', 'HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('no status', 'HTTP/1.1\r\nContent-Length: 2\r\n\r\nok'),
  head('the version 3.0', 'HTTP/3.0 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('the version 2.0', 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('the version 0.9', 'HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('a version of letters', 'HTTP/x.y 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  head('a request', 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n'),
  head('no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'),
  head('frames of HTTP/2', '\x00\x00\x00\x04\x00\x00\x00\x00\x00'),
  head(
    'a switch that nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  ),
  head('interim answers without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(200)),
  chunks('a chunk size with a sign', '+2\r\nok\r\n0\r\n\r\n'),
  chunks('a chunk size with 0x', '0x2\r\nok\r\n0\r\n\r\n'),
  chunks('a chunk size that is no number', 'zz\r\nok\r\n0\r\n\r\n'),
  chunks('a chunk size past 64 bits', '10000000000000002\r\nok\r\n0\r\n\r\n'),
  chunks('a bare line feed behind a chunk size', '2\nok\r\n0\r\n\r\n'),
  chunks('a chunk longer than its size', '2\r\nokay\r\n0\r\n\r\n'),
  chunks('a flood in a chunk extension', `2;${'a'.repeat(40_000)}\r\nok\r\n0\r\n\r\n`),
  chunks('a folded trailer', '2\r\nok\r\n0\r\nX-A: 1\r\n 2\r\n\r\n'),
  chunks('chunks that end too early', '5\r\nok'),
  { name: 'fewer bytes than the length', bytes: `${OK}Content-Length: 9\r\n\r\nok`, sees: 'cut' },
  {
    name: 'more bytes than the length',
    bytes: `${OK}Content-Length: 2\r\n\r\nok${EVIL}`,
    sees: 'whole',
  },
  {
    name: 'a second answer behind chunks',
    bytes: `${OK}${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n${EVIL}`,
    sees: 'whole',
  },
  { name: 'a body behind 204', bytes: `HTTP/1.1 204 No Content\r\n\r\n${EVIL}`, sees: 'whole' },
  {
    name: 'a body behind 304',
    bytes: `HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n${EVIL}`,
    sees: 'whole',
  },
]

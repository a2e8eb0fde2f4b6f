import { head, send } from '../probe.ts'
import type { Passed, Wire } from '../probe.ts'

const BODIED: readonly Wire[] = ['absolute', 'mount', 'clear', 'tls12', 'tls13']
// A prefix mount leads to one place; the tunnel and the absolute form say where they go themselves.
const TUNNELS: readonly Wire[] = ['clear', 'tls12', 'tls13']
const UP = ['GET /$ID HTTP/1.1', 'Host: api.test']
const POSTED = ['POST /$ID HTTP/1.1', 'Host: api.test']

const fields = (name: string, sent: readonly string[], kept: readonly string[] = []): Passed => ({
  name,
  bytes: send('GET', sent),
  lines: [...UP, ...kept],
})

const path = (text: string): Passed => ({
  name: `the path ${text}`,
  bytes: head(`GET $AT/$ID${text} HTTP/1.1`, 'Host: $HOST'),
  lines: [`GET /$ID${text} HTTP/1.1`, 'Host: api.test'],
})

const body = (
  name: string,
  sent: readonly string[],
  bytes: string,
  got: Pick<Passed, 'body' | 'framing'> & { readonly lines?: readonly string[] },
): Passed => ({
  name,
  bytes: send('POST', sent, bytes),
  on: BODIED,
  ...got,
  lines: [...POSTED, ...(got.lines ?? [])],
})

const CHUNKED = ['Transfer-Encoding: chunked']
const chunked = { framing: 'chunked' } as const

/** What a strict gateway must not break. */
export const PASSING: readonly Passed[] = [
  fields('a plain GET', []),
  fields('a value with spaces and tabs around', ['X-A: \t a b \t'], ['X-A: a b']),
  fields('an empty value', ['X-A:'], ['X-A: ']),
  fields('a value past ASCII, byte for byte', ['X-A: \xe9\xff'], ['X-A: \xe9\xff']),
  fields(
    'fields of one name, in order',
    ['X-A: 1', 'x-b: 2', 'X-A: 3'],
    ['X-A: 1', 'x-b: 2', 'X-A: 3'],
  ),
  fields(
    'every character that a name may have',
    ["!#$%&'*+-.^_`|~9aZ: 1"],
    ["!#$%&'*+-.^_`|~9aZ: 1"],
  ),
  fields(
    'Connection that names a field',
    ['X-Secret: 1', 'X-B: 2', `Connection: X-Secret, close`],
    ['X-B: 2'],
  ),
  fields(
    'Connection in odd case, with empty tokens',
    ['x-secret: 1', 'CONNECTION: ,, X-SECRET ,'],
    [],
  ),
  fields(
    'Connection in two lines',
    ['X-A: 1', 'X-B: 2', 'X-C: 3', 'Connection: x-a', 'Connection: x-b'],
    ['X-C: 3'],
  ),
  fields(
    'Connection that names part of a field',
    ['X-Secret: 1', 'Connection: x-sec'],
    ['X-Secret: 1'],
  ),
  fields('Connection that names Host', ['Connection: host']),
  fields('Keep-Alive', ['Keep-Alive: timeout=5']),
  fields('Proxy-Connection', ['Proxy-Connection: keep-alive']),
  fields('fields of the other hop', ['Proxy-Authenticate: Basic', 'Proxy-Authentication-Info: x']),
  fields('TE, of which trailers is left', ['TE: trailers, deflate;q=0.5'], ['TE: trailers']),
  fields('TE without trailers', ['TE: gzip']),
  { ...fields('HTTP/1.0', []), bytes: head('GET $AT/$ID HTTP/1.0', 'Host: $HOST'), on: BODIED },
  {
    ...fields('a Host in upper case', []),
    bytes: head('GET $AT/$ID HTTP/1.1', 'Host: API.TEST'),
    on: TUNNELS,
    lines: UP,
  },
  {
    ...fields('a Host with a dot at its end', []),
    bytes: head('GET $AT/$ID HTTP/1.1', 'Host: api.test.'),
    on: TUNNELS,
  },
  // A client's signature covers it as it was written.
  ...[
    { port: 80, on: ['absolute', 'clear'] },
    { port: 443, on: ['tls12', 'tls13'] },
  ].map(({ port, on }) => ({
    name: `a Host with its port, ${port}`,
    bytes: head('GET $AT/$ID HTTP/1.1', `Host: api.test:${port}`),
    on: on as readonly Wire[],
    lines: ['GET /$ID HTTP/1.1', `Host: api.test:${port}`],
  })),
  {
    ...fields('an absolute form in another case, with a dot', []),
    bytes: head('GET HTTP://API.Test.:80/$ID HTTP/1.1', 'Host: api.test'),
    on: ['absolute'],
  },
  {
    name: 'an absolute form without a path',
    bytes: head('GET http://api.test?$ID HTTP/1.1', 'Host: api.test'),
    on: ['absolute'],
    lines: ['GET /?$ID HTTP/1.1', 'Host: api.test'],
  },
  {
    name: 'the absolute form inside a tunnel',
    bytes: 'GET http://api.test/$ID HTTP/1.1\r\nHost: api.test\r\n\r\n',
    on: ['clear'],
    lines: UP,
  },
  ...[
    '/a%2Fb',
    '/%3A',
    '/a+b',
    '/a%20b',
    '/@scope%2Fname',
    '/a;b=1',
    '/a//b',
    '?',
    '?=',
    '?&&',
    '?a=&b',
    '?x=/../',
    '?q=%zz',
    '/...',
    '/%E2%82%AC',
    "/~!$&'()*,:",
  ].map(path),
  body('a length of none', ['Content-Length: 0'], '', { framing: 'length' }),
  body('a body', ['Content-Length: 2'], 'ok', { framing: 'length', body: 'ok' }),
  body(
    'a body that looks like a request',
    ['Content-Length: 27'],
    'GET /smuggled HTTP/1.1\r\n\r\n\r',
    { framing: 'length', body: 'GET /smuggled HTTP/1.1\r\n\r\n\r' },
  ),
  body('chunks', CHUNKED, '2\r\nok\r\n0\r\n\r\n', { ...chunked, body: 'ok' }),
  body('chunked in odd case', ['Transfer-Encoding: ChUnKeD'], '2\r\nok\r\n0\r\n\r\n', {
    ...chunked,
    body: 'ok',
  }),
  body(
    'a chunk size in upper case, with zeros before',
    CHUNKED,
    '000A\r\n0123456789\r\n0\r\n\r\n',
    { ...chunked, body: '0123456789' },
  ),
  body('a short chunk extension, which is for this hop', CHUNKED, '2;a=b\r\nok\r\n0;c\r\n\r\n', {
    ...chunked,
    body: 'ok',
  }),
  body('a last chunk of many zeros', CHUNKED, '2\r\nok\r\n0000\r\n\r\n', {
    ...chunked,
    body: 'ok',
  }),
  body('no bytes in chunks', CHUNKED, '0\r\n\r\n', { ...chunked, body: '' }),
]

const sloppy = (name: string, bytes: string): Passed => ({ name, bytes, lines: UP })

/**
 * What a reader may refuse, or read in the one way that it can be read (RFC 9112, 2.2, 3 and 5). What goes on is
 * clean, so that nobody behind the gateway has to choose.
 */
export const SLOPPY: readonly Passed[] = [
  sloppy('an empty line before the request', `\r\n${send('GET', [])}`),
  sloppy('two spaces before the target', head('GET  $AT/$ID HTTP/1.1', 'Host: $HOST')),
  sloppy('two spaces behind the target', head('GET $AT/$ID  HTTP/1.1', 'Host: $HOST')),
  { ...sloppy('the name of RTSP', head('GET $AT/$ID RTSP/1.0', 'Host: $HOST')), on: BODIED },
  body('chunked with a tab behind', ['Transfer-Encoding: chunked\t'], '2\r\nok\r\n0\r\n\r\n', {
    ...chunked,
    body: 'ok',
  }),
  body('chunked with a tab before', ['Transfer-Encoding:\tchunked'], '2\r\nok\r\n0\r\n\r\n', {
    ...chunked,
    body: 'ok',
  }),
  body('many chunk extensions', CHUNKED, `${`1;${'a'.repeat(900)}\r\nx\r\n`.repeat(30)}0\r\n\r\n`, {
    ...chunked,
    body: 'x'.repeat(30),
  }),
  body('a length with zeros before', ['Content-Length: 0002'], 'ok', {
    framing: 'length',
    body: 'ok',
  }),
]

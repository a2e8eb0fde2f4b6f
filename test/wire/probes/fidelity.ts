import { METHODS } from 'node:http'

/** What an upstream says (latin1), and what of it a client has to see. */
export interface SaidAnswer {
  readonly name: string
  readonly bytes: string
  readonly method?: string
  /** The upstream hangs up behind it. */
  readonly ends?: boolean
  readonly sees: {
    readonly first?: string
    /** Field lines, in order, without those of framing and of the hop. */
    readonly fields?: readonly string[]
    readonly body?: string
    readonly trailers?: readonly string[]
    /** Heads of 1xx answers, each in one line. */
    readonly informed?: readonly string[]
  }
}

const OK = 'HTTP/1.1 200 OK'
const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\r\n`).join('')
const said = (
  name: string,
  head: readonly string[],
  body = '',
  more: Partial<SaidAnswer> = {},
): SaidAnswer => ({
  name,
  bytes: `${lines(...head, '')}${body}`,
  ...more,
  sees: { first: head[0] as string, body, ...more.sees },
})

/** Sixty fields whose case and order nobody would choose. */
export const SIXTY: readonly string[] = Array.from({ length: 60 }, (_, at) => {
  const name = ['X-Field', 'x-field', 'X-FIELD', 'x-Field'][at % 4]
  return `${name}-${(at * 37) % 60}: v${'v'.repeat(at)} ${at}`
})

/** Of one connection, or named as such by its `Connection: X-Named`. */
export const OF_THE_HOP: readonly string[] = [
  'Keep-Alive: timeout=5',
  'Proxy-Connection: keep-alive',
  'Proxy-Authorization: Basic eDp5',
  'Proxy-Authenticate: Basic realm="other"',
  'Proxy-Authentication-Info: x',
  'TE: gzip',
  'X-Named: 1',
]

/** Every byte that there is. */
export const BYTES = String.fromCharCode(...Array.from({ length: 256 }, (_, at) => at))

const MIXED = [
  'Set-Cookie: a=1; Path=/',
  'X-Between: 1',
  'set-cookie: b="2, 3"',
  'SET-COOKIE: c=4',
  'ETag: W/"x,y"',
  'Vary: Accept-Encoding, *',
  'Link: <https://api.test/a>; rel="next", <b>; rel=prev',
  'X-Latin: \xe9\xff',
  'X-Tab: a\tb',
  'X-Empty: ',
  "!#$%&'*+-.^_`|~9aZ: 1",
  'WWW-Authenticate: Basic realm="a", Digest realm="b"',
]

const PART = 'bytes 0-3/256'
const MULTIPART = lines('--b', 'Content-Range: bytes 0-0/9', '', 'x', '--b--')

/** What passes from an upstream to a client as it is. */
export const SAID: readonly SaidAnswer[] = [
  said('sixty fields', [OK, ...SIXTY, 'Content-Length: 2'], 'ok', { sees: { fields: SIXTY } }),
  said('fields of all kinds', [OK, ...MIXED, 'Content-Length: 2'], 'ok', {
    sees: { fields: MIXED },
  }),
  said('every byte', [OK, 'Content-Length: 256'], BYTES),
  said('every byte many times', [OK, 'Content-Length: 262144'], BYTES.repeat(1_024)),
  said('a body of none', [OK, 'Content-Length: 0']),
  said('a phrase of its own', ['HTTP/1.1 200 As You Like It', 'Content-Length: 2'], 'ok'),
  said('a phrase past ASCII', ['HTTP/1.1 404 Pas trouv\xe9', 'Content-Length: 2'], 'no'),
  said('HEAD with a length', [OK, 'ETag: "x"', 'Content-Length: 1234'], '', {
    method: 'HEAD',
    sees: { fields: ['ETag: "x"'], body: '' },
  }),
  said('HEAD with chunks', [OK, 'Transfer-Encoding: chunked'], '', { method: 'HEAD' }),
  said('204', ['HTTP/1.1 204 No Content', 'X-A: 1'], '', { sees: { fields: ['X-A: 1'] } }),
  said('304 with its fields', [
    'HTTP/1.1 304 Not Modified',
    'ETag: "x"',
    'Cache-Control: max-age=60',
    'Content-Length: 99',
  ]),
  said(
    '206',
    ['HTTP/1.1 206 Partial Content', `Content-Range: ${PART}`, 'Content-Length: 4'],
    'abcd',
    {
      sees: { fields: [`Content-Range: ${PART}`] },
    },
  ),
  said(
    '206 of many parts',
    [
      'HTTP/1.1 206 Partial Content',
      'Content-Type: multipart/byteranges; boundary=b',
      `Content-Length: ${MULTIPART.length}`,
    ],
    MULTIPART,
  ),
  said('416', [
    'HTTP/1.1 416 Range Not Satisfiable',
    'Content-Range: bytes */256',
    'Content-Length: 0',
  ]),
  said('412', ['HTTP/1.1 412 Precondition Failed', 'Content-Length: 0']),
  said('an answer that its end ends', [OK, 'X-A: 1'], BYTES, {
    ends: true,
    sees: { fields: ['X-A: 1'] },
  }),
  said('HTTP/1.0 with a length', ['HTTP/1.0 200 OK', 'Content-Length: 2'], 'ok', {
    ends: true,
    sees: { first: OK },
  }),
  said('HTTP/1.0 without a length', ['HTTP/1.0 200 OK', 'X-A: 1'], 'ok', {
    ends: true,
    sees: { first: OK },
  }),
  said('chunks', [OK, 'Transfer-Encoding: chunked'], '1\r\na\r\n3;x=y\r\nbcd\r\n0\r\n\r\n', {
    sees: { body: 'abcd' },
  }),
  said(
    'chunks with trailers',
    [OK, 'Trailer: X-Sum, X-More', 'Transfer-Encoding: chunked'],
    '2\r\nok\r\n0\r\nX-Sum: 7\r\nX-More: a\r\n\r\n',
    { sees: { body: 'ok', trailers: ['X-Sum: 7', 'X-More: a'] } },
  ),
  {
    ...said('answers on the way', [OK, 'Content-Length: 2'], 'ok', {
      sees: {
        informed: ['HTTP/1.1 102 Processing', 'HTTP/1.1 103 Early Hints|Link: </a>; rel=preload'],
      },
    }),
    bytes:
      lines('HTTP/1.1 102 Processing', '') +
      lines('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload', '') +
      `${lines(OK, 'Content-Length: 2', '')}ok`,
  },
]

/** Methods that reach an upstream; CONNECT is for tunnels, and none but llhttp's are read in HTTP/1.1. */
export const PASSING_METHODS: readonly string[] = METHODS.filter((name) => name !== 'CONNECT')

import type { Field, Frames } from '../frames.ts'

/** A stream that is refused, by an answer or by a reset, and of which no byte reaches an upstream. */
export interface RefusedStream extends Frames {
  readonly name: string
  /** Where it is answered, the status of that; 400 by default. */
  readonly status?: number
}

/** A stream that passes, and what the HTTP/1.1 upstream gets of it. */
export interface PassedStream extends Frames {
  readonly name: string
  readonly lines: readonly string[]
  readonly body?: string
  readonly framing?: 'none' | 'length' | 'chunked'
}

const METHOD: Field = [':method', 'GET']
const SCHEME: Field = [':scheme', 'https']
const AUTHORITY: Field = [':authority', 'api.test']
const PATH: Field = [':path', '/$ID']
const GET: readonly Field[] = [METHOD, SCHEME, AUTHORITY, PATH]
const POST: readonly Field[] = [[':method', 'POST'], SCHEME, AUTHORITY, PATH]

const extra = (name: string, ...fields: readonly Field[]): RefusedStream => ({
  name,
  headers: [...GET, ...fields],
})
const pseudo = (name: string, ...headers: readonly Field[]): RefusedStream => ({ name, headers })
const path = (value: string): RefusedStream =>
  pseudo(`the path ${JSON.stringify(value)}`, METHOD, SCHEME, AUTHORITY, [':path', value])
const method = (value: string): RefusedStream =>
  pseudo(`the method ${JSON.stringify(value)}`, [':method', value], SCHEME, AUTHORITY, PATH)
const authority = (value: string, status = 400): RefusedStream => ({
  ...pseudo(`the authority ${JSON.stringify(value)}`, METHOD, SCHEME, [':authority', value], PATH),
  status,
})
const posted = (name: string, length: string, ...data: readonly string[]): RefusedStream => ({
  name,
  headers: [...POST, ['content-length', length]],
  data,
})

/** Streams that are malformed, or that would be another request once they were written as HTTP/1.1. */
export const REFUSED_STREAMS: readonly RefusedStream[] = [
  extra('connection', ['connection', 'close']),
  extra('connection that names a field', ['connection', 'x-a'], ['x-a', '1']),
  extra('keep-alive', ['keep-alive', 'timeout=5']),
  extra('proxy-connection', ['proxy-connection', 'keep-alive']),
  extra('transfer-encoding', ['transfer-encoding', 'chunked']),
  extra('upgrade', ['upgrade', 'websocket']),
  extra('te of more than trailers', ['te', 'gzip']),
  extra('a name in upper case', ['X-A', '1']),
  extra('two Hosts', ['host', 'api.test'], ['host', 'api.test']),
  { ...extra('a Host that is not the authority', ['host', 'other.test']), status: 421 },
  extra('a pseudo-field behind the fields', ['x-a', '1'], [':path', '/other']),
  extra('an unknown pseudo-field', [':foo', '1']),
  extra('a status in a request', [':status', '200']),
  extra('a protocol, which was not offered', [':protocol', 'websocket']),
  extra('two paths', PATH),
  extra('two authorities', AUTHORITY),
  extra('two methods', METHOD),
  extra('two schemes', SCHEME),
  pseudo('no method', SCHEME, AUTHORITY, PATH),
  pseudo('no path', METHOD, SCHEME, AUTHORITY),
  pseudo('no scheme', METHOD, AUTHORITY, PATH),
  pseudo('the scheme http', METHOD, [':scheme', 'http'], AUTHORITY, PATH),
  pseudo('the scheme ftp', METHOD, [':scheme', 'ftp'], AUTHORITY, PATH),
  pseudo('an empty scheme', METHOD, [':scheme', ''], AUTHORITY, PATH),
  pseudo('CONNECT', [':method', 'CONNECT'], AUTHORITY),
  pseudo('CONNECT with a path', [':method', 'CONNECT'], SCHEME, AUTHORITY, PATH),
  method('get'),
  method(''),
  method('GE T'),
  method('GET /x HTTP/1.1\r\nX-A:'),
  method('G\0T'),
  path(''),
  path('*'),
  path('$ID'),
  path('http://other.test/$ID'),
  path('//other.test/$ID'),
  path('/$ID HTTP/1.1\r\nHost: other.test\r\n\r\n'),
  path('/$ID x'),
  path('/$ID\tx'),
  path('/$ID\0'),
  path('/$ID\n'),
  path('/$ID#x'),
  path('/$ID\xe9'),
  path('/public/../$ID'),
  path('/public/%2e%2e/$ID'),
  path('/public/..%2f$ID'),
  path('/public/..;/$ID'),
  path('/public\\..\\$ID'),
  authority(''),
  authority('user@api.test'),
  authority('api.test/x'),
  authority('api.test:0443'),
  authority('api.test:443:443'),
  authority('api.test\r\nx-a: 1'),
  authority('\xef\xbd\x81pi.test'),
  authority('other.test', 421),
  authority('api.test:444', 421),
  authority('127.0.0.1', 421),
  posted('fewer bytes than the length', '5', 'ok'),
  posted('more bytes than the length', '1', 'ok'),
  posted('bytes behind a length of none', '0', 'ok'),
  posted('a length with a sign', '+2', 'ok'),
  posted('a length in hexadecimal', '0x2', 'ok'),
  posted('a length as a list', '2,2', 'ok'),
  posted('an empty length', '', 'ok'),
  {
    name: 'two lengths',
    headers: [...POST, ['content-length', '2'], ['content-length', '2']],
    data: ['ok'],
  },
  {
    name: 'a pseudo-field in the trailers',
    headers: POST,
    data: ['ok'],
    trailers: [[':path', '/other']],
  },
  { name: 'a trailer in upper case', headers: POST, data: ['ok'], trailers: [['X-A', '1']] },
]

const UP = ['GET /$ID HTTP/1.1']

export const PASSED_STREAMS: readonly PassedStream[] = [
  { name: 'a plain GET', headers: GET, lines: [...UP, 'Host: api.test'] },
  {
    name: 'a Host that is the authority',
    headers: [...GET, ['host', 'api.test']],
    lines: [...UP, 'host: api.test'],
  },
  {
    name: 'te: trailers',
    headers: [...GET, ['te', 'trailers']],
    lines: [...UP, 'TE: trailers', 'Host: api.test'],
  },
  {
    name: 'crumbs of a cookie',
    headers: [...GET, ['cookie', 'a=1'], ['x-a', '1'], ['cookie', 'b=2']],
    lines: [...UP, 'x-a: 1', 'cookie: a=1; b=2', 'Host: api.test'],
  },
  {
    name: 'a body with a length',
    headers: [...POST, ['content-length', '2']],
    data: ['o', 'k'],
    lines: ['POST /$ID HTTP/1.1', 'Host: api.test'],
    body: 'ok',
    framing: 'length',
  },
  {
    name: 'a body without a length',
    headers: POST,
    data: ['o', 'k'],
    lines: ['POST /$ID HTTP/1.1', 'Host: api.test'],
    body: 'ok',
    framing: 'chunked',
  },
]

const dropped = (name: string, field: Field): PassedStream => ({
  name,
  headers: [...GET, field],
  lines: [...UP, 'Host: api.test'],
})

/** Fields that nghttp2 or the gateway drops: either the stream is refused, or nobody behind the gateway sees the field. */
export const DROPPED_FIELDS: readonly PassedStream[] = [
  dropped('an empty name', ['', '1']),
  dropped('a name with a space', ['x a', '1']),
  dropped('a name with a colon', ['x:a', '1']),
  dropped('a name with a line feed', ['x-a\nhost', 'other.test']),
  dropped('a name with a NUL', ['x\0a', '1']),
  dropped('a name past ASCII', ['x-\xe9', '1']),
  dropped('a value with CR LF and a field', ['x-a', '1\r\nHost: other.test']),
  dropped('a value with a line feed', ['x-a', '1\nx-b: 2']),
  dropped('a value with a carriage return', ['x-a', '1\rx-b: 2']),
  dropped('a value with a NUL', ['x-a', '1\x002']),
  {
    name: 'trailers that would frame or route anew',
    headers: POST,
    data: ['ok'],
    trailers: [
      ['content-length', '9'],
      ['host', 'other.test'],
    ],
    lines: ['POST /$ID HTTP/1.1', 'Host: api.test'],
    body: 'ok',
    framing: 'chunked',
  },
]

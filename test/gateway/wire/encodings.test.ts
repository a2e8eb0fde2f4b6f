import { Readable } from 'node:stream'
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib'
import t from 'tap'
import { EncodingFault, readableBody, readableCodings } from '../../../gateway/wire/encodings.ts'

const text = 'the same text '.repeat(500)

async function readAll(body: Readable): Promise<string> {
  let out = ''
  for await (const chunk of body) out += (chunk as Buffer).toString()
  return out
}

/** A body of these bytes in small pieces. */
function pieces(bytes: Buffer, size = 7): Readable {
  const all: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) all.push(bytes.subarray(at, at + size))
  return Readable.from(all)
}

const CODED: readonly (readonly [coding: string, bytes: Buffer])[] = [
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['identity, gzip', gzipSync(text)],
]

for (const [coding, bytes] of CODED) {
  t.test(`${coding} becomes identity`, async (t) => {
    const { headers, body } = readableBody(pieces(bytes), ['Content-Encoding', coding, 'X', '1'])
    t.same(headers, ['X', '1'])
    t.equal(await readAll(body), text)
  })
}

t.test('without a coding nothing changes', async (t) => {
  const body = pieces(Buffer.from(text))
  for (const headers of [
    ['Content-Length', '7000'],
    ['Content-Encoding', 'identity', 'ETag', '"a"'],
  ]) {
    const out = readableBody(body, headers)
    t.equal(out.body, body)
    t.equal(out.headers, headers)
  }
})

t.test('what was said of the coded bytes is taken back', async (t) => {
  const said = [
    'ETag',
    '"a"',
    'Content-Length',
    '1',
    'Digest',
    'x',
    'Content-MD5',
    'x',
    'Repr-Digest',
    'x',
    'Content-Digest',
    'x',
  ]
  const { headers } = readableBody(pieces(gzipSync('')), ['Content-Encoding', 'gzip', ...said])
  t.same(headers, ['ETag', 'W/"a"'])
  t.same(
    readableBody(pieces(gzipSync('')), ['Content-Encoding', 'gzip', 'ETag', 'W/"b"']).headers,
    ['ETag', 'W/"b"'],
  )
})

t.test('a coding that can not be looked into is refused', async (t) => {
  const bad = ['zstd', 'compress', 'gzip, zstd', 'constructor', 'gzip,gzip,gzip,gzip']
  for (const coding of bad) {
    const fault = { name: 'EncodingFault', code: 'encoding_not_inspectable' }
    t.throws(
      () => readableBody(pieces(Buffer.from('x')), ['Content-Encoding', coding]),
      fault,
      coding,
    )
  }
  const partial = ['Content-Encoding', 'gzip', 'Content-Range', 'bytes 0-1/9']
  t.throws(() => readableBody(pieces(Buffer.from('x')), partial), {
    code: 'encoding_not_inspectable',
  })
})

t.test('an empty body stays empty', async (t) => {
  for (const coding of ['gzip', 'br', 'deflate']) {
    t.equal(await readAll(readableBody(Readable.from([]), ['Content-Encoding', coding]).body), '')
  }
})

t.test('broken, cut and wrongly labelled bodies fail', async (t) => {
  const gzip = gzipSync(text)
  const damaged = Buffer.from(gzip)
  damaged.writeUInt32LE(0, damaged.length - 8)
  const bad: readonly (readonly [coding: string, bytes: Buffer])[] = [
    ['gzip', gzip.subarray(0, -1)],
    ['gzip', gzip.subarray(0, 20)],
    ['gzip', damaged],
    ['gzip', Buffer.from(text)],
    ['br', gzip],
    ['br', brotliCompressSync(text).subarray(0, -2)],
    ['deflate', deflateSync(text).subarray(0, -1)],
    ['deflate', Buffer.from('{"plain":1}')],
  ]
  for (const [coding, bytes] of bad) {
    const { body } = readableBody(pieces(bytes), ['Content-Encoding', coding])
    const fault = await readAll(body).then(
      () => undefined,
      (error: unknown) => error,
    )
    t.ok(
      fault instanceof EncodingFault && fault.code === 'upstream_invalid',
      `${coding} ${bytes.length}`,
    )
  }
})

t.test('bombs are cut off by ratio and by size, in constant memory', async (t) => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  const bomb = brotliCompressSync(Buffer.alloc(64 * 2 ** 20), { params })
  const cases = [{}, { maxBytes: 1_000_000, maxRatio: Number.POSITIVE_INFINITY }]
  for (const limits of cases) {
    const { body } = readableBody(Readable.from([bomb]), ['Content-Encoding', 'br'], limits)
    let bytes = 0
    const read = (async () => {
      for await (const chunk of body) bytes += (chunk as Buffer).length
    })()
    await t.rejects(read, { code: 'upstream_invalid' })
    t.ok(bytes < 20 * 2 ** 20)
  }
})

t.test('a reader that stops holds the decoder', async (t) => {
  const zeros = gzipSync(Buffer.alloc(64 * 2 ** 20))
  const before = process.memoryUsage().rss
  const { body } = readableBody(Readable.from([zeros]), ['Content-Encoding', 'gzip'])
  body.once('readable', () => {})
  await new Promise((resolve) => setTimeout(resolve, 100))
  t.ok(process.memoryUsage().rss - before < 32 * 2 ** 20)
  body.destroy()
})

t.test('flushed events come out at once', async (t) => {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  const { body } = readableBody(gzip, ['Content-Encoding', 'gzip'])
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    gzip.write(event)
    t.equal(String(await new Promise((resolve) => body.once('data', resolve))), event)
  }
  gzip.end()
})

t.test('ends are tied together', async (t) => {
  const source = new Readable({ read() {} })
  readableBody(source, ['Content-Encoding', 'gzip'])
    .body.on('error', () => {})
    .destroy()
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(source.destroyed)
  const failing = new Readable({ read() {} })
  const { body } = readableBody(failing, ['Content-Encoding', 'gzip'])
  failing.destroy(new Error('reset'))
  await t.rejects(readAll(body), { message: 'reset' })
})

t.test('the upstream is asked for what can be looked into', async (t) => {
  const cases = [
    ['gzip, deflate, br, zstd', 'gzip, br'],
    ['GZIP;q=0.5', 'gzip'],
    ['*', 'gzip, br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['zstd', 'identity'],
    ['identity', 'identity'],
    ['', 'identity'],
  ] as const
  for (const [accepted, asked] of cases) t.equal(readableCodings(accepted), asked, accepted)
})

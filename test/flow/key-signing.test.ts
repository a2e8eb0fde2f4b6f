import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sigV4Authorization } from '../../gateway/wire/sigv4.ts'
import { flow, KEY } from '../helpers/gateway.ts'
import { leaksIn } from '../helpers/leaks.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

/** Checks the signature as a server would and says what is wrong with it. */
async function checkHmac(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await bodyOf(req)
  const { 'x-signature': signature, 'x-time': time = '' } = req.headers
  const [path, query = ''] = String(req.url).split('?')
  const digest = createHash('sha256').update(body).digest('hex')
  const message = `v1:${String(time)}:${req.method}:${req.headers.host}:${path}?${query}:${digest}\n`
  const own = createHmac('sha512', KEY)
    .update(Buffer.concat([Buffer.from(message), body]))
    .digest('base64')
  const isFresh = Math.abs(Date.now() - Number(time)) < 60_000
  res.end(signature === `sig=${own}` && isFresh ? 'signed' : `not signed: ${message}`)
}

flow(
  'an HMAC over parts of the call',
  {
    keys: [
      {
        hmac: {
          header: 'x-signature',
          format: 'sig={}',
          message: 'v1:{timestamp}:{method}:{host}:{path}?{query}:{body_sha256}\n{body}',
          algorithm: 'sha512',
          encoding: 'base64',
          timestamp_header: 'x-time',
          timestamp_unit: 'ms',
        },
      },
    ],
    serve: checkHmac,
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const headers = { 'x-signature': 'own', 'x-time': '1' }
      const got = await gateway.ask(shape, { token, path: '/a/b?c=d&e', headers })
      t.equal(got.text, 'signed', `${shape}: without a body`)
      const posted = await gateway.ask(shape, { token, method: 'POST', path: '/a', body: 'ü{}' })
      t.equal(posted.text, 'signed', `${shape}: with one`)
      t.same(leaksIn(JSON.stringify(gateway.receipt(posted.header('receipt'))), KEY), [])
    }
  },
)

const ID = 'AKIAFLOWTEST'
const HASH = createHash('sha256').update('abc').digest('hex')

/** A server of this service: the signature must hold for what arrived, down to the body. */
function awsServer(service: string, payloadOf: (body: Buffer) => string) {
  return async (req: IncomingMessage, res: ServerResponse) => {
    const body = await bodyOf(req)
    const { authorization = '', 'x-amz-date': date = '' } = req.headers
    const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? []
    const headers = names.flatMap((name) => [name, String(req.headers[name])])
    const now = Date.parse(
      String(date).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    )
    const own = sigV4Authorization(
      { method: req.method ?? '', path: req.url ?? '', headers, payload: payloadOf(body) },
      { accessKeyId: ID, secretAccessKey: KEY, region: 'eu-west-1', service, now },
    )
    const must = ['host', 'x-amz-date', ...(req.headers['content-type'] ? ['content-type'] : [])]
    const isWhole =
      must.every((name) => names.includes(name)) && Math.abs(Date.now() - now) < 60_000
    const isSigned = isWhole && own === authorization
    res.end(
      isSigned
        ? `signed ${String(req.headers['x-amz-content-sha256'] ?? '')}`
        : `not signed: ${authorization}`,
    )
  }
}

const sigv4 = (service: string) => ({
  keys: [
    {
      sigv4: { access_key_id: { command: ['/bin/echo', ID] }, region: 'eu-west-1', service },
    },
  ],
})

flow(
  'SigV4 for an API: the body is read and signed',
  {
    ...sigv4('things'),
    serve: awsServer('things', (body) => createHash('sha256').update(body).digest('hex')),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const own: Record<string, string> =
        shape === 'mount' ? {} : { authorization: 'AWS4-HMAC-SHA256 Credential=dummy' }
      const path = '/v1/things%20of%2Fmine/7?b=2&a=%7e&a=1&empty'
      const got = await gateway.ask(shape, { token, path, headers: own })
      t.equal(got.text, 'signed ', `${shape}: a query`)
      const headers = { ...own, 'content-type': 'application/x-amz-json-1.1' }
      const posted = await gateway.ask(shape, { token, method: 'POST', headers, body: '{"a":1}' })
      t.equal(posted.text, 'signed ', `${shape}: a body`)
    }
  },
)

flow(
  'SigV4 for S3: the body is streamed, a hash that the client gave is kept',
  {
    ...sigv4('s3'),
    serve: awsServer('s3', (body) => (body.length === 3 ? HASH : 'UNSIGNED-PAYLOAD')),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const put = (headers: Record<string, string>, body: string) =>
        gateway.ask(shape, { token, method: 'PUT', path: '/a%20b/c(1)+d', headers, body })
      const large = await put({ 'content-type': 'text/plain' }, 'x'.repeat(100_000))
      t.equal(large.text, 'signed UNSIGNED-PAYLOAD', shape)
      const hashed = await put({ 'x-amz-content-sha256': HASH }, 'abc')
      t.equal(hashed.text, `signed ${HASH}`, `${shape}: hashed`)
      const chunked = await put(
        { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' },
        'abc',
      )
      t.same([chunked.status, chunked.header('refused')], [400, 'not_supported'])
    }
  },
)

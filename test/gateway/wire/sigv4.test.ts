import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import t from 'tap'
import { sha256, sigV4Authorization } from '../../../gateway/wire/sigv4.ts'
import { bodyOf } from '../../helpers/upstream.ts'

interface Vectors {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
  readonly date: string
  readonly requests: readonly {
    readonly name: string
    readonly method: string
    readonly target: string
    readonly headers: readonly string[]
    readonly body: string
    readonly authorization: string
  }[]
}

// The requests of AWS's own test suite, but for those with dot segments, which never reach a signature here.
const VECTORS = JSON.parse(
  readFileSync(new URL('../../vectors/sigv4.json', import.meta.url), 'utf8'),
) as Vectors

t.test('the signatures of AWS’s test suite', async (t) => {
  const { requests, date, ...scope } = VECTORS
  t.ok(requests.length > 20)
  for (const { name, method, target, headers, body, authorization } of requests) {
    const request = { method, path: encodeURI(target), headers, payload: sha256(body) }
    const signed = sigV4Authorization(request, { ...scope, now: Date.parse(date) })
    t.equal(signed, authorization, name)
  }
})

// From "Authenticating Requests: Using the Authorization Header" in the S3 API reference.
const S3_SCOPE = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 's3',
  now: Date.parse('2013-05-24T00:00:00Z'),
}
const EMPTY = sha256('')
const AT = ['Host', 'examplebucket.s3.amazonaws.com', 'x-amz-date', '20130524T000000Z']

const S3_EXAMPLES: readonly (readonly [
  method: string,
  path: string,
  headers: readonly string[],
  payload: string,
  signature: string,
])[] = [
  [
    'GET',
    '/test.txt',
    [...AT, 'Range', 'bytes=0-9', 'x-amz-content-sha256', EMPTY],
    EMPTY,
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT',
    '/test%24file.text',
    [
      ...AT,
      'Date',
      'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class',
      'REDUCED_REDUNDANCY',
      'x-amz-content-sha256',
      sha256('Welcome to Amazon S3.'),
    ],
    sha256('Welcome to Amazon S3.'),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET',
    '/?lifecycle',
    [...AT, 'x-amz-content-sha256', EMPTY],
    EMPTY,
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET',
    '/?max-keys=2&prefix=J',
    [...AT, 'x-amz-content-sha256', EMPTY],
    EMPTY,
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
]

t.test('the signatures of the S3 reference, where paths are encoded once', async (t) => {
  for (const [method, path, headers, payload, signature] of S3_EXAMPLES) {
    const signed = sigV4Authorization({ method, path, headers, payload }, S3_SCOPE)
    t.ok(signed.endsWith(`Signature=${signature}`), `${method} ${path}`)
  }
})

t.test('the same signature as curl’s', async (t) => {
  let got: { readonly req: IncomingMessage; readonly body: Buffer } | undefined
  const server = createServer((req, res) => {
    void bodyOf(req).then((body) => {
      got = { req, body }
      res.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  for (const [path, body] of [
    ['/things/7?a=1&b=two', undefined],
    ['/', 'Action=ListThings&Version=1'],
    ['/x', '{"a":"ü"}'],
  ] as const) {
    const data = body === undefined ? [] : ['--data-raw', body]
    const { accessKeyId, secretAccessKey } = S3_SCOPE
    await promisify(execFile)('curl', [
      '-sS',
      '--noproxy',
      '*',
      '--aws-sigv4',
      'aws:amz:eu-west-1:things',
      '--user',
      `${accessKeyId}:${secretAccessKey}`,
      ...data,
      `http://127.0.0.1:${port}${path}`,
    ])
    const { authorization = '', 'x-amz-date': date = '' } = got?.req.headers ?? {}
    const signed = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? []
    const headers = signed.flatMap((name) => [name, String(got?.req.headers[name])])
    const now = Date.parse(
      String(date).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    )
    const request = {
      method: got?.req.method ?? '',
      path,
      headers,
      payload: sha256(got?.body ?? ''),
    }
    const scope = { ...S3_SCOPE, region: 'eu-west-1', service: 'things', now }
    const own = sigV4Authorization(request, scope)
    t.equal(own, authorization, path)
  }
})

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { goodConfig, tempFolder } from './_config.ts'

t.test('an upstream with everything', async (t) => {
  const folder = tempFolder()
  const ca = makeCertificate(folder)
  const [upstream] = goodConfig(
    `
upstreams:
  - name: github
    hosts: ["API.github.com.", "*.githubusercontent.com", "api.test:8443"]
    address: "10.0.0.5:8443"
    allow_private: ["10.0.0.0/8"]
    ca: [./ca.pem]
    proxy: { url: "http://corp:3128", user: u, password: { file: ./pw }, bypass: [".Internal"] }
    bears: { area: false }
    keep: hash
    keys:
      - { name: k1, secret: { env: A }, header: Authorization, methods: [GET], paths: ["/repos/*"] }
      - { name: k2, secret: { env: A }, header: x-api-key }
      - { name: k3, secret: { env: A }, basic_user: x-access-token, methods: [PUT] }
      - { name: k4, secret: { env: A }, placeholder: __github_key__ }
      - { name: k5, secret: { env: A }, placeholder: __hub_key_2__, places: [body, websocket] }
      - { name: k6, secret: { env: A }, query: api_key }
      - name: k7
        secret: { env: A }
        hmac: { header: x-mac, message: "v1.{timestamp}\\n{body}", timestamp_header: x-time }
      - name: k8
        secret: { env: A }
        paths: ["/aws/*"]
        methods: [POST]
        sigv4: { access_key_id: { env: I }, session_token: { file: ./t }, region: eu-west-1, service: s3 }
      - name: k9
        secret: { env: A }
        methods: [PATCH]
        oauth: { token_url: "https://Login.test/oauth/token", client_id: c, scope: a b }
`,
    folder,
  ).upstreams
  t.strictSame(upstream?.hosts, [
    { host: 'api.github.com', suffix: false, port: undefined },
    { host: '.githubusercontent.com', suffix: true, port: undefined },
    { host: 'api.test', suffix: false, port: 8443 },
  ])
  t.strictSame(upstream?.address, { host: '10.0.0.5', port: 8443 })
  t.strictSame(upstream?.ca, [ca])
  t.strictSame(upstream?.proxy, {
    host: 'corp',
    port: 3128,
    user: 'u',
    password: { file: join(folder, 'pw') },
    bypass: ['.internal'],
  })
  t.strictSame(upstream?.bears, { area: false, model: true })
  t.equal(upstream?.intercept, true)
  t.strictSame(
    upstream?.keys.map((key) => key.use),
    [
      { kind: 'header', header: 'Authorization', format: 'Bearer {}' },
      { kind: 'header', header: 'x-api-key', format: '{}' },
      { kind: 'basic', user: 'x-access-token' },
      { kind: 'placeholder', text: '__github_key__', places: ['headers', 'query', 'path'] },
      { kind: 'placeholder', text: '__hub_key_2__', places: ['body', 'websocket'] },
      { kind: 'query', parameter: 'api_key' },
      {
        kind: 'hmac',
        header: 'x-mac',
        format: '{}',
        message: [
          { text: 'v1.' },
          { part: 'timestamp' },
          { text: '\n' },
          { part: 'body' },
          { text: '' },
        ],
        algorithm: 'sha256',
        encoding: 'hex',
        timestampHeader: 'x-time',
        timestampUnit: 's',
      },
      {
        kind: 'sigv4',
        accessKeyId: { env: 'I' },
        sessionToken: { file: join(folder, 't') },
        region: 'eu-west-1',
        service: 's3',
      },
      {
        kind: 'oauth',
        tokenUrl: {
          origin: { scheme: 'https', host: 'login.test', port: 443 },
          path: '/oauth/token',
        },
        clientId: 'c',
        scope: 'a b',
        clientAuth: 'basic',
      },
    ],
  )
})

t.test('keys that share no call, or no place in it, may stand side by side', async (t) => {
  const config = goodConfig(`
upstreams:
  - name: a
    hosts: [a.test]
    keys:
      - { name: k1, secret: { env: A }, header: x-a, paths: ["/v1/*"] }
      - { name: k2, secret: { env: A }, header: x-a, paths: ["/v2/*"] }
      - { name: k3, secret: { env: A }, header: x-b }
`)
  t.equal(config.upstreams[0]?.keys.length, 3)
})

t.test('a mount with a base path', async (t) => {
  const [mount] = goodConfig(
    'mounts: [{ prefix: /llm, to: "https://api.test:8443/v1/", slot: x-api-key }]',
  ).mounts
  t.strictSame(mount, {
    prefix: '/llm',
    host: undefined,
    to: { scheme: 'https', host: 'api.test', port: 8443 },
    basePath: '/v1',
    slot: 'x-api-key',
  })
})

function makeCertificate(folder: string): string {
  const out = join(folder, 'ca.pem')
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=test',
  ]
  execFileSync('openssl', [...args, '-keyout', join(folder, 'ca.key'), '-out', out], {
    stdio: 'ignore',
  })
  const pem = readFileSync(out, 'utf8')
  // Text around the blocks, as `openssl x509 -text` writes it, is no part of the certificate.
  writeFileSync(out, `some words\n${pem}`)
  return pem
}

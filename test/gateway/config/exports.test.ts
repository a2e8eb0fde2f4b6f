import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseConfig } from '../../../gateway/config/index.ts'

const BUCKETS = 'buckets: [{ name: rw }, { name: ro, read_only: true }]\n'

function parse(sinks: string) {
  const text = `${BUCKETS}ledger:\n  exports:\n${sinks.replaceAll(/^/gm, '    ')}`
  return parseConfig(text, { base: '/etc/gate', env: { HOME: '/h' } })
}

function problemsOf(sinks: string): readonly string[] {
  const loaded = parse(sinks)
  if (loaded.ok) throw new Error(`${sinks}: it was taken`)
  return loaded.problems.map(({ path, got, repair }) => `${path}: got ${got}; ${repair}`)
}

t.test('the page’s own example', async (t) => {
  const page = readFileSync(new URL('../../../docs/exports.md', import.meta.url), 'utf8')
  const block = /^ {4}ledger:\n(?: {4}.*\n)+/m.exec(page)?.[0].replaceAll(/^ {4}/gm, '') ?? ''
  const loaded = parseConfig(block, { base: '/etc/gate', env: { HOME: '/h' } })
  t.strictSame(loaded.ok ? loaded.config.ledger.exports : loaded.problems, [
    {
      type: 'webhook',
      name: 'siem',
      url: 'https://siem.example.com/events',
      authorization: undefined,
      format: 'ocsf',
      batch: 100,
      deadlineMs: 10_000,
      secret: { env: 'SIEM_SECRET' },
    },
    {
      type: 'otlp',
      name: 'logs',
      url: 'https://otel.example.com/v1/logs',
      authorization: { file: '/run/secrets/otlp-authorization' },
      format: 'json',
      batch: 100,
      deadlineMs: 10_000,
    },
    {
      type: 'files',
      name: 'lake',
      folder: '/etc/gate/lake',
      format: 'parquet',
      maxBytes: 16_777_216,
      maxSeconds: 60,
    },
    {
      type: 'bucket',
      name: 'archive',
      format: 'json',
      maxBytes: 16_777_216,
      maxSeconds: 300,
      bucket: 'archive',
      prefix: 'ledger/',
    },
  ])
})

t.test('files may go into a bucket', async (t) => {
  const loaded = parse('- { name: a, type: bucket, bucket: rw, prefix: ledger/, format: parquet }')
  t.strictSame(loaded.ok ? loaded.config.ledger.exports : loaded.problems, [
    {
      type: 'bucket',
      name: 'a',
      bucket: 'rw',
      prefix: 'ledger/',
      format: 'parquet',
      maxBytes: 16_777_216,
      maxSeconds: 300,
    },
  ])
})

const WRONG: readonly (readonly [sinks: string, problem: RegExp])[] = [
  ['- { name: a, type: webhook }', /exports\[0\]\.url: got nothing; add it$/],
  ['- { name: a, type: files }', /exports\[0\]\.folder: got nothing; add it$/],
  [
    '- { name: a, type: files, folder: x, url: "http://a.test" }',
    /\[0\]\.url: got a key that `files` does not take; remove it, or use one of: folder, max_bytes, max_seconds$/,
  ],
  [
    '- { name: a, type: otlp, url: "http://a.test", secret: { env: A } }',
    /\[0\]\.secret: got a key/,
  ],
  [
    '- { name: a, type: webhook, url: "http://a.test", max_bytes: 65536 }',
    /\[0\]\.max_bytes: got a key/,
  ],
  [
    '- { name: a, type: webhook, url: "http://a.test", format: parquet }',
    /\[0\]\.format: got `parquet` of `webhook`; write one of: json, ocsf$/,
  ],
  ['- { name: a, type: webhook, url: "ftp://a.test" }', /\[0\]\.url: got a text of 12 characters/],
  ['- { name: a, type: webhook, url: "https://" }', /\[0\]\.url: got a text of/],
  [
    '- { name: a, type: webhook, url: "https://u:s3cret@a.test/" }',
    /\[0\]\.url: got an address with credentials \(not shown\); use `authorization`/,
  ],
  [
    '- { name: a, type: files, folder: x }\n- { name: a, type: files, folder: y }',
    /exports\[1\]\.name: got `a` a second time; give it another name$/,
  ],
  ['- { name: a, type: bucket }', /exports\[0\]\.bucket: got nothing; add it$/],
  [
    '- { name: a, type: bucket, bucket: none }',
    /\[0\]\.bucket: got `none`; name one of `buckets` that is not `read_only`$/,
  ],
  ['- { name: a, type: bucket, bucket: ro }', /\[0\]\.bucket: got `ro`/],
  ['- { name: a, type: bucket, bucket: rw, prefix: "a b" }', /\[0\]\.prefix: got `a b`/],
  ['- { name: a, type: files, folder: x, prefix: y }', /\[0\]\.prefix: got a key that `files`/],
  ['- { name: ../a, type: files, folder: x }', /exports\[0\]\.name: got `\.\.\/a`/],
  [
    '- { name: a, type: syslog }',
    /exports\[0\]\.type: got `syslog`; write one of `webhook`, `otlp`, `files`, `bucket`$/,
  ],
  [
    '- { name: a, type: webhook, url: "http://a.test", retries: 3 }',
    /\[0\]\.retries: got the unknown key/,
  ],
  [
    '- { name: a, type: webhook, url: "http://a.test", batch: 0 }',
    /\[0\]\.batch: got `0`; write at least 1$/,
  ],
]

for (const [sinks, problem] of WRONG) {
  t.test(`refused: ${sinks.replaceAll('\n', ' ')}`, async (t) => {
    const problems = problemsOf(sinks)
    t.equal(problems.length, 1, problems.join(' '))
    t.match(problems[0], problem)
    t.notMatch(problems[0], /s3cret/)
  })
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { statePaths } from '../../gateway/state/paths.ts'
import { openCollector } from '../adapters/exports/rig.ts'
import { openBucket } from '../adapters/objects/s3/rig.ts'
import { eventually, flowIn, KEY, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { formsOf, leakFinder } from '../helpers/leaks.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { startCluster } from '../helpers/postgres.ts'
import { startR2 } from '../helpers/r2.ts'
import { metricOf } from '../helpers/records.ts'
import { feedOf } from '../helpers/schemas.ts'
import { SHAPES, type Asked } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'
import {
  doorsOf,
  exportedIn,
  filesIn,
  objectsIn,
  pagesOf,
  tablesIn,
  type Seen,
} from './_canaries.ts'

// Secrets come in by every position that a call has, and an upstream gives back all that it got. Then everything that
// the gateway has kept, carried away or shows is gone through.

/** Stands beside the secrets in every call: where it is not found, nothing was looked at. */
const MARKER = 'marker-5c1d77ab'
/** So long that a segment is soon full, and is sealed and carried away. */
const LONG = `/${MARKER}/${'p'.repeat(600)}`
const OWN = 'sk-alice/8Re+04?yL=52~aXn&19'
const PERSONS_KEY = 'eS8J2mQvX4nTzR7kL0wYc5HbGd1FpUaV'
const HOOK_SECRET = 'a-webhook-secret-of-24-bytes-and-more'
const HOOK_AUTHORIZATION = 'Bearer 0f-the-c0llect0r-4711'

const printing = (text: string) => ({ command: ['printf', '%s', text] })

type Position = (secret: string) => Omit<Asked, 'token'>

const post = (type: string, body: string) => ({
  path: LONG,
  method: 'POST',
  headers: { 'content-type': type },
  body,
})

/** What a call can have a secret in, besides its credential. */
const POSITIONS: readonly Position[] = [
  (secret) => ({ path: `${LONG}/${encodeURIComponent(secret)}` }),
  (secret) => ({ path: `${LONG}?k=${encodeURIComponent(secret)}` }),
  (secret) => ({ path: LONG, headers: { 'x-any': secret, cookie: `c=${secret}` } }),
  (secret) => post('application/json', JSON.stringify({ [secret]: 1, deep: { list: [secret] } })),
  (secret) => post('application/x-www-form-urlencoded', `a=${encodeURIComponent(secret)}`),
  (secret) => post('text/plain', `said: ${secret}`),
]

/** An upstream that gives back whatever it got, and the key in every form besides. */
const ECHO: Setup['serve'] = async (req, res) => {
  const body = (await bodyOf(req)).toString()
  res.setHeader('x-echo', KEY).setHeader('set-cookie', `k=${encodeURIComponent(KEY)}`)
  // What is JSON in JSON is one of the codings that masking does not know.
  const forms = formsOf(KEY).flatMap(({ name, text }) => (name === 'json' ? [] : [text]))
  answerJson(res, { marker: MARKER, url: req.url, headers: req.headers, body, forms })
}

/** The parts of a token that stand in no other text. */
function partsOf(token: string): readonly string[] {
  const [, payload = '', signature = ''] = token.split('.')
  return [payload.slice(-40), signature]
}

t.test('no secret is in what is kept, carried away or shown', async (t) => {
  t.setTimeout(120_000)
  const cluster = await startCluster(t)
  const r2 = await startR2(t, 2)
  if (cluster === undefined || r2 === undefined) return
  const [anchors, archive] = [r2.freshBucket(), r2.freshBucket()]
  const url = await cluster.createDatabase()
  const urlFile = join(t.testdir(), 'ledger.url')
  writeFileSync(urlFile, url, { mode: 0o600 })
  const hook = await openCollector(t)
  const s3 = (name: string, bucket: string) => ({
    name,
    driver: 's3',
    endpoint: r2.s3.endpoint,
    bucket,
    access_key_id: printing(r2.s3.accessKeyId),
    secret_access_key: printing(r2.s3.secretAccessKey),
  })
  const config = {
    persons: { key: printing(PERSONS_KEY) },
    buckets: [s3('anchors', anchors), s3('archive', archive)],
    ledger: {
      checkpoint_ms: 1000,
      segment_bytes: 65_536,
      index: { driver: 'postgres', url: { file: urlFile } },
      anchor: { bucket: 'anchors' },
      exports: [
        {
          name: 'hook',
          type: 'webhook',
          url: hook.url,
          secret: printing(HOOK_SECRET),
          authorization: printing(HOOK_AUTHORIZATION),
        },
        { name: 'lines', type: 'files', folder: './lake', max_seconds: 1 },
        { name: 'rows', type: 'files', folder: './lake', max_seconds: 1, format: 'parquet' },
        { name: 'archive', type: 'bucket', bucket: 'archive', max_seconds: 1, format: 'ocsf' },
      ],
    },
  }
  const keys = [
    { header: 'x-key' },
    // Without the secret that the helper would give it.
    { secret: undefined, personal: true, header: 'x-own' },
  ]
  await flowIn(t, { keys, serve: ECHO, config }, async (t, gateway) => {
    const secrets = await callWithSecrets(gateway)
    const buckets = [anchors, archive].map((name) => openBucket(t, r2.s3, name))
    const end = (await feedOf(gateway)).at(-1)?.position ?? Infinity
    const isCarried = async () => {
      const { body } = await askOwner(gateway, 'GET', '/api/status')
      const exported = body['exports'] as readonly { readonly position: number }[]
      const anchored = await buckets[0]?.list()
      return (
        exported.length === 4 &&
        exported.every(({ position }) => position >= end) &&
        anchored?.objects.some(({ key }) => key.includes('/segments/')) === true &&
        metricOf(await gateway.metrics(), 'narrowgate_ledger_lag_records') === 0
      )
    }
    t.ok(await eventually(isCarried, 60_000), 'all is carried away')
    const seen: readonly Seen[] = [
      ...filesIn(gateway.state, secretFiles(gateway)),
      ...(await exportedIn(join(gateway.state, '..', 'lake'))),
      ...(await tablesIn(cluster, url)),
      ...(await Promise.all(buckets.map((bucket, at) => objectsIn(`S3, bucket ${at}`, bucket)))),
      ...hook.taken.map(({ body }) => ({ name: 'webhook', text: body.toString() })),
      ...(await doorsOf(gateway)),
      ...(await pagesOf(gateway)),
    ]
    const whole = new Map<string, string>()
    for (const { name, text } of seen) whole.set(name, `${whole.get(name) ?? ''}\n${text}`)
    t.same(
      [...whole].filter(([, text]) => !text.includes(MARKER)).map(([name]) => name),
      // It has positions alone.
      ['state, exports'],
      'each place was looked at',
    )
    const leaksIn = leakFinder(secrets)
    for (const [name, text] of whole) t.same(leaksIn(text), [], name)
  })
})

/** What of the state folder are the secrets themselves. */
function secretFiles({ state }: TestGateway): readonly string[] {
  const { buildKey, ownerKey, ledgerKey, ca } = statePaths(state)
  return [buildKey, ownerKey, ledgerKey, ...readdirSync(ca).map((name) => join(ca, name))]
}

/** Gives every secret that came in, by what it is. */
async function callWithSecrets(
  gateway: TestGateway,
): Promise<readonly (readonly [what: string, secret: string])[]> {
  const { state } = gateway
  await askOwner(gateway, 'POST', '/api/persons', { id: 'alice' })
  for (const name of ['plain-1', 'secure-1'])
    await askOwner(gateway, 'PUT', `/api/persons/alice/keys/${name}`, { value: OWN })
  const { body } = await askOwner(gateway, 'POST', '/api/persons/alice/session')
  const session = String(body['session'])
  const { token } = await mintGrant(gateway, 'tools = HTTP_*')
  const hers = gateway.mint('keys = alice', 'tools = HTTP_*', 'person = alice')
  const placed = [KEY, token, session, OWN].flatMap((secret) =>
    POSITIONS.map((position) => position(secret)),
  )
  for (const [at, asked] of placed.entries())
    await gateway.ask(SHAPES[at % SHAPES.length] ?? 'absolute', { ...asked, token })
  for (const shape of SHAPES) {
    const headers = { 'narrowgate-session': session }
    await gateway.ask(shape, { token: hers, path: LONG, headers })
    for (const bad of [`${token.slice(0, -4)}AAAA`, 'g1.nothing'])
      await gateway.ask(shape, { token: bad, path: LONG }).catch(() => undefined)
    await gateway.ask(shape, { token: gateway.mint('tools = NONE'), path: LONG })
  }
  const named = (what: string, text: string) => partsOf(text).map((part) => [what, part] as const)
  return [
    ['the upstream’s key', KEY],
    ['the person’s key', OWN],
    ['the key of persons', PERSONS_KEY],
    ['the webhook’s secret', HOOK_SECRET],
    ['the webhook’s authorization', HOOK_AUTHORIZATION.slice('Bearer '.length)],
    ['the build key', readFileSync(statePaths(state).buildKey, 'utf8').trim()],
    ['the owner key', readFileSync(statePaths(state).ownerKey, 'utf8').trim()],
    ['the ledger’s key', readFileSync(statePaths(state).ledgerKey, 'utf8').trim()],
    ...named('a token', token),
    ...named('a personal token', hers),
    ...named('a session', session),
  ]
}

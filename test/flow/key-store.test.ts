import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import t from 'tap'
import { eventually, KEY } from '../helpers/gateway.ts'
import { startChild } from '../helpers/child.ts'
import { forge } from '../helpers/forge.ts'
import { formsOf, leaksIn } from '../helpers/leaks.ts'
import { assertAccounts } from '../helpers/records.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'
import { contentOf, partsOf, placesOf } from '../helpers/token-parts.ts'
import { bodyOf } from '../helpers/upstream.ts'

// A byte search of everything that a gateway leaves behind: state folder, printed lines, metrics.

const PLACEHOLDER = '__flow_key__'

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}

// About ten seconds: the gateway is a process of its own.
t.test('no key and no token in what is stored, printed or counted', async (t) => {
  const echo = formsOf(KEY)
    .map(({ text }) => text)
    .join('\n')
  const keyed: string[] = []
  const refusals: unknown[] = []
  const gateway = await startChild(t, {
    keys: [
      { header: 'x-key' },
      { query: 'own', paths: ['/keyed*'] },
      { placeholder: PLACEHOLDER, places: ['headers', 'query', 'path', 'body'] },
      { hmac: { header: 'x-mac', message: '{body}' }, paths: ['/keyed*'] },
    ],
    async serve(req, res) {
      const sent = await bodyOf(req)
      if (req.url?.startsWith('/keyed')) keyed.push(`${req.url}\n${sent.toString()}`)
      if (req.url?.startsWith('/break')) return void req.socket.destroy()
      if (req.url?.startsWith('/invalid'))
        return void req.socket.end(`HTTP/1.1 200 ${KEY}\r\n${KEY}\r\n\r\n`)
      res
        .writeHead(200, { 'content-type': 'text/plain', 'x-echo': KEY })
        .end(`${echo}\n${sent.toString()}`)
    },
  })
  const token = gateway.mint('tools = HTTP_*', 'task = T-1')
  const forged = forge('k'.repeat(40), 'forged-grant-id', ['tools = *'])
  for (const shape of SHAPES) {
    const asked = { token, method: 'POST', body: `${'-'.repeat(65_530)}${token} ${KEY}` }
    await askIn(shape, gateway, { ...asked, path: '/echo' })
    await askIn(shape, gateway, { ...asked, path: `/echo?t=${token}&k=${encodeURIComponent(KEY)}` })
    await askIn(shape, gateway, { ...asked, path: `/${token}/x`, headers: { 'x-token': token } })
    await askIn(shape, gateway, {
      token,
      method: 'POST',
      path: `/keyed/${PLACEHOLDER}?p=${PLACEHOLDER}`,
      headers: { 'content-type': 'application/json', 'x-other': PLACEHOLDER },
      body: JSON.stringify([PLACEHOLDER, 'k']),
    })
    await askIn(shape, gateway, { ...asked, path: '/break' })
    await askIn(shape, gateway, { ...asked, path: '/invalid' })
    for (const refused of [
      { ...asked, headers: { want: `{"select":["${token}"` } },
      { ...asked, token: forged },
      { ...asked, token: `${token}x` },
    ])
      refusals.push(await askIn(shape, gateway, refused).catch((error: unknown) => error))
  }
  const pieces = encodeURIComponent(KEY).replaceAll('%3A', ':')
  t.equal(keyed.length, SHAPES.length)
  for (const text of keyed)
    t.equal(text.split(pieces).length + text.split(KEY).length, 6, 'keys went')
  await assertAccounts(t, gateway.state, gateway.metrics)
  const metrics = await gateway.metrics()
  t.equal(await gateway.stop(), 0)
  await eventually(() => gateway.printed().includes('SIGTERM'), 2000)
  const found: string[] = []
  const buildKey = readFileSync(join(gateway.state, 'build.key'), 'utf8').trim()
  t.equal(forge(buildKey, ...contentOf(token)), token, 'the places are those of the chain')
  const searched: readonly (readonly [whose: string, token: string])[] = [
    ['token', token],
    ['forged', forged],
    ...placesOf(token, buildKey).map((one, place) => [`place ${place}`, one] as const),
  ]
  const digests = (['hex', 'base64', 'base64url', 'latin1'] as const).map((encoding) =>
    createHash('sha256').update(KEY).digest().toString(encoding),
  )
  const search = (where: string, text: string) => {
    for (const form of leaksIn(text, KEY)) found.push(`${where}: key, ${form}`)
    // Whoever holds a digest can try keys against it.
    if (digests.some((digest) => text.includes(digest))) found.push(`${where}: a digest of the key`)
    for (const [whose, one] of searched)
      for (const [part, secret] of Object.entries(partsOf(one)))
        if (text.includes(secret)) found.push(`${where}: ${whose}, ${part}`)
  }
  const files = filesIn(gateway.state)
  for (const file of files) search(file, readFileSync(file, 'latin1'))
  search('printed', Buffer.from(gateway.printed()).toString('latin1'))
  search('metrics', metrics)
  search('refusals', inspect(refusals, { depth: 9, maxStringLength: null }))
  t.same(found, [])
  t.ok(
    files.some((file) => file.includes('/bodies/')),
    'bodies were kept and searched',
  )
  t.ok(
    files.some((file) => file.endsWith('index.sqlite')),
    'the index was searched',
  )
  const ledger = files
    .filter((file) => file.endsWith('.ndlog'))
    .map((file) => readFileSync(file, 'latin1'))
  t.notMatch(
    ledger.join(),
    'forged-grant-id',
    'nothing is taken from a payload that does not verify',
  )
})

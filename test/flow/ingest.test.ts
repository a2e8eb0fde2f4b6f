import { Agent, request } from 'node:http'
import { readFileSync } from 'node:fs'
import { verifySegments } from '../../adapters/ledger/verify.ts'
import { statePaths } from '../../gateway/state/paths.ts'
import { record, writerOf } from '../adapters/ledger/ingest/rig.ts'
import { eventually, flow, portOf, type TestGateway } from '../helpers/gateway.ts'
import { askOwner, sendLines } from '../helpers/owner.ts'
import { feedOf } from '../helpers/schemas.ts'

const ORIGIN = 'sidecar:runner-7'

/** Their accounts are their recorder's, not this gateway's: they are looked at apart. */
async function foreign(gateway: TestGateway) {
  return (await feedOf(gateway)).filter(({ record }) => record['origin'] === ORIGIN)
}

flow('a recorder’s receipts are in the ledger, the feed and the doors', {}, async (t, gateway) => {
  const [lines = []] = await record(t, 5, { origin: ORIGIN })
  const token = gateway.mint('tools = HTTP_*')
  await gateway.ask('absolute', { token })
  const half = await sendLines(gateway, lines.slice(0, 4))
  t.match(half, { status: 200, body: { writer: writerOf(lines), n: 3, added: 3, known: 0 } })
  t.match(await sendLines(gateway, lines), { body: { n: lines.length - 1, known: 3 } })
  t.match(await sendLines(gateway, lines), { body: { added: 0, known: lines.length - 1 } })
  await gateway.ask('absolute', { token })
  const items = await foreign(gateway)
  t.same(
    items.map(({ id, record }) => [id.split(':')[0], record['id']]),
    Array.from({ length: 5 }, (_, at) => [writerOf(lines), `${ORIGIN}-${at + 1}`]),
  )
  const { status, body } = await askOwner(gateway, 'GET', `/ledger/exchanges/${ORIGIN}-2.json`)
  t.equal(status, 200)
  t.match(body, { origin: ORIGIN, outcome: 'allowed', tool: 'HTTP_GET' })
  t.equal((await verifySegments(`${gateway.state}/ledger`)).verdict, 'ok')
})

flow('what does not fit is refused with its name', {}, async (t, gateway) => {
  const [lines = []] = await record(t, 4, { origin: ORIGIN })
  const cases = [
    [lines.slice(0, 3), 200, undefined],
    [[lines[0] ?? '', lines[5] ?? ''], 409, 'chain_gap'],
    [[lines[0] ?? '', (lines[1] ?? '').replace('HTTP_GET', 'HTTP_PUT')], 409, 'chain_fork'],
    [[lines[0] ?? '', (lines[3] ?? '').replace('HTTP_GET', 'HTTP_PUT')], 409, 'chain_mismatch'],
    [['hello'], 400, 'malformed_request'],
    [[], 400, 'malformed_request'],
  ] as const
  for (const [sent, status, code] of cases) {
    const answer = await sendLines(gateway, sent)
    t.equal(answer.status, status, JSON.stringify(answer.body))
    t.equal(answer.body['code'], code)
  }
  const gap = await sendLines(gateway, [lines[0] ?? '', lines[5] ?? ''])
  t.match(gap.body, {
    reasons: [
      {
        axis: 'record 5',
        got: `the record 5; of \`${writerOf(lines)}\` all is here up to 2, ${lines[2]?.slice(0, 64)}`,
      },
    ],
  })
  const asJson = await askOwner(gateway, 'POST', '/api/ledger/ingest', { lines })
  t.match(asJson, { status: 400, body: { code: 'malformed_request' } })
  t.equal((await verifySegments(`${gateway.state}/ledger`)).verdict, 'ok')
})

/** Sends a body without end, until there is an answer. */
function flood(
  { gateway, state }: TestGateway,
  first: string,
): Promise<{ status: number; sent: number }> {
  const key = readFileSync(statePaths(state).ownerKey, 'utf8').trim()
  return new Promise((resolve, reject) => {
    let sent = 0
    const post = request({
      port: portOf(gateway.addresses.owner),
      host: '127.0.0.1',
      path: '/api/ledger/ingest',
      method: 'POST',
      // Of a connection that is to be closed the end may come before the answer is read.
      agent: new Agent({ keepAlive: true }),
      headers: { 'x-narrowgate-key': key, 'content-type': 'application/x-ndjson' },
    })
    const timer = setInterval(() => {
      sent += 10_000
      post.write('x'.repeat(10_000))
    }, 5)
    post.once('response', (response) => {
      clearInterval(timer)
      response.resume()
      resolve({ status: response.statusCode ?? 0, sent })
      post.destroy()
    })
    post.once('error', reject)
    post.write(`${first}\n`)
  })
}

flow(
  'a request is bounded, and what came before stays',
  { config: { limits: { ingest_bytes: 20_000 } } },
  async (t, gateway) => {
    const [lines = []] = await record(t, 100, { origin: ORIGIN })
    t.match(await sendLines(gateway, lines), { status: 413, body: { code: 'too_large' } })
    const kept = await foreign(gateway)
    t.ok(kept.length > 5 && kept.length < 100, `${kept.length} receipts`)
    const { status, sent } = await flood(gateway, lines[0] ?? '')
    t.equal(status, 413)
    t.ok(sent < 2_000_000, 'it is answered before it ends')
    const whole = async () => {
      const { body } = await sendLines(gateway, [
        lines[0] ?? '',
        ...lines.slice(nextOf(await foreign(gateway)), nextOf(await foreign(gateway)) + 40),
      ])
      return body['n'] === lines.length - 1
    }
    t.ok(await eventually(whole), 'in pieces it all comes in')
    t.equal((await foreign(gateway)).length, 100)
  },
)

/** The line behind the last receipt that is there: each has its number in its id. */
function nextOf(items: readonly { readonly id: string }[]): number {
  return Number(items.at(-1)?.id.split(':')[1] ?? 0) + 1
}

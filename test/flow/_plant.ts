import t, { type Test } from 'tap'
import { createBuildKey, narrowToken, verifyToken } from '../../policy/index.ts'
import { type Cluster, startCluster } from '../helpers/postgres.ts'
import { assertAccounts } from '../helpers/records.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'
import { startShared } from '../helpers/shared.ts'
import { partsOf, placesOf } from '../helpers/token-parts.ts'

const CALLS = 200

/** A counter is kept by the public name of its link: what opens something stands in no table. */
async function assertNamesAlone(t: Test, database: [Cluster, string], tokens: readonly string[]) {
  const [cluster, url] = database
  const tables = await cluster.run(
    url,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'narrowgate'`,
  )
  const texts = tables.map(async ({ name }) => {
    const rows = await cluster.run(
      url,
      `SELECT each::text AS text FROM narrowgate.${String(name)} each`,
    )
    return rows.map(({ text }) => text).join('\n')
  })
  const seen = (await Promise.all(texts)).join('\n')
  const found = tokens.flatMap((token) =>
    Object.entries(partsOf(token)).flatMap(([part, text]) => (seen.includes(text) ? [part] : [])),
  )
  t.same(found, [], 'no token and no place of a chain')
  return seen
}

const cluster = await startCluster(t)
if (cluster !== undefined)
  // About fifteen seconds: two processes, and a database.
  await t.test('200 calls at once through two gateways, against five uses', async (t) => {
    const url = await cluster.createDatabase()
    const { gateways, mint, key } = await startShared(t, url, [{}, {}])
    const { token: root } = mint('tools = HTTP_*', 'uses <= 5')
    const children = [
      root,
      narrowToken(root, ['ways = proxy,mount']),
      narrowToken(root, ['uses <= 100', 'arg HTTP_GET.host = api.test']),
      narrowToken(root, ['uses <= 4']),
      narrowToken(root, ['expires < 2099-01-01T00:00:00Z', 'uses <= 7']),
    ]
    const asked = Array.from({ length: CALLS }, (_, at) => {
      const gateway = gateways[at % gateways.length]
      // Each number below goes through all of its row, whatever the two others are at.
      const shape = SHAPES[Math.floor(at / gateways.length) % SHAPES.length] ?? 'absolute'
      const token = children[Math.floor(at / 10) % children.length]
      if (gateway === undefined) throw new Error('two gateways were started')
      return askIn(shape, gateway, { token })
    })
    const answers = await Promise.all(asked)
    const count = (status: number) => answers.filter((got) => got.status === status).length
    const odd = answers.filter(({ status }) => status !== 200 && status !== 429)
    t.same(
      odd.map(({ text }) => text),
      [],
    )
    t.same([count(200), count(429)], [5, CALLS - 5])
    const arrived = gateways.map(({ upstreams }) => upstreams.arrived.length)
    t.equal(
      arrived.reduce((sum, number) => sum + number, 0),
      5,
      `exactly five reached the upstreams: ${arrived.join(' and ')}`,
    )
    t.ok(
      answers.every(({ status, header }) => status === 200 || header('refused') === 'uses_spent'),
    )
    const [row] = await cluster.run(url, 'SELECT max(used) AS most FROM narrowgate.uses')
    t.equal(row?.['most'], 5)
    const planted = children[1]?.split('.')[2] ?? ''
    await cluster.run(url, `UPDATE narrowgate.uses SET link = '${planted}' WHERE used = 4`)
    await cluster.run(url, `INSERT INTO narrowgate.uses (link, used) VALUES ('${planted}', 1)`)
    const seen = await assertNamesAlone(
      t,
      [cluster, url],
      children.flatMap((token) => [token, ...placesOf(token, key)]),
    )
    const { links } = verifyToken(root, [createBuildKey(key)])
    t.ok(
      links.slice(2).every((link) => seen.includes(link)),
      'it was looked into',
    )
    for (const { state, metrics } of gateways) await assertAccounts(t, state, metrics)
  })

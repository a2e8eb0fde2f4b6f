import { writeFileSync, chmodSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { assertAccounts } from '../helpers/records.ts'
import { askIn, openIn, finish } from '../helpers/shapes.ts'

const OLD = 'old-key-0123456789abcdef'
const NEW = 'new-key-0123456789abcdef'

const held: ServerResponse[] = []

// About ten seconds: the gateway is a process of its own, since SIGHUP is one's.
t.test('SIGHUP', async (t) => {
  const folder = t.testdir({ key: OLD })
  const file = join(folder, 'key')
  chmodSync(file, 0o600)
  const gateway = await startChild(t, {
    keys: [{ header: 'x-key', secret: { file } }],
    rows: [{ name: 'BELLS_STRIKE', summary: 'make noise', method: 'POST', path: '/bells' }],
    serve(req, res) {
      if (req.url !== '/held') return void res.end(req.headers['x-key'] === NEW ? 'new' : 'old')
      held.push(res)
      res.write('half ')
    },
  })
  const token = gateway.mint('tools = HTTP_*')
  const ask = async () => (await askIn('absolute', gateway, { token })).text
  const hangUp = async (says: string) => {
    const before = gateway.printed().split(says).length
    gateway.process.kill('SIGHUP')
    t.ok(await eventually(() => gateway.printed().split(says).length > before), says)
  }
  t.equal(await ask(), 'old')
  const underWay = await openIn('absolute', gateway, { token, path: '/held' })

  writeFileSync(file, NEW)
  await hangUp('reloaded')
  t.equal(await ask(), 'new', 'the next call has the new key')

  held.shift()?.end(`and ${OLD}`)
  const { text, whole } = await finish(underWay)
  t.same(
    { text, whole },
    { text: `half and ${'*'.repeat(OLD.length)}`, whole: true },
    'a call under way ends as it began',
  )

  const good = readFileSync(gateway.configFile, 'utf8')
  writeFileSync(gateway.configFile, `${good}\nunknown_key: 1\n`)
  await hangUp('kept')
  t.match(gateway.printed(), 'unknown_key', 'what is wrong is told')
  t.equal(await ask(), 'new', 'the old configuration stays in force')

  const meant = async () => {
    const address = `http://127.0.0.1:${gateway.proxyPort}/g/find?q=jingle`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${granted}` } })
    return ((await answer.json()) as { readonly rows: readonly object[] }).rows
  }
  const granted = gateway.mint('tools = BELLS_STRIKE,BELLS_STRIKE_TLS')
  t.same(await meant(), [])
  writeFileSync(
    gateway.configFile,
    `${good}\naliases: [{ words: jingle, names: [^BELLS_STRIKE] }]\n`,
  )
  await hangUp('reloaded')
  t.match(await meant(), [{ name: /^BELLS/, matched_because: '"jingle" means this' }])

  writeFileSync(gateway.configFile, good)
  await hangUp('reloaded')
  t.equal(await ask(), 'new')
  t.same(await meant(), [], 'nor does it mean anything once it is taken out')
  await assertAccounts(t, gateway.state, gateway.metrics)
  t.equal(await gateway.stop(), 0)
})

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { assertAccounts, receiptOf } from '../helpers/records.ts'
import { askIn, openIn, SHAPES } from '../helpers/shapes.ts'

const randomKey = () => randomBytes(32).toString('base64url')

// About ten seconds: the gateway is a process of its own, since SIGHUP is one's.
t.test('the ring of build keys, changed while the gateway runs', async (t) => {
  const folder = t.testdir({})
  const file = (name: string) => join(folder, name)
  const write = (name: string, key: string) => writeFileSync(file(name), key, { mode: 0o600 })
  const [fresh, old] = [randomKey(), randomKey()]
  write('fresh', fresh)
  write('old', old)
  const gateway = await startChild(t, {
    config: { build_keys: [{ file: file('fresh') }, { file: file('old') }] },
    serve(req, res) {
      if (req.url !== '/events') return void res.end('ok')
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n')
    },
  })
  let count = 0
  const mint = (key: string) =>
    mintToken(createBuildKey(key), `ring-${(count += 1)}`, ['tools = HTTP_*'])
  const tokens = { fresh: mint(fresh), old: mint(old) }
  const ask = async (token: string) => askIn('absolute', gateway, { token })
  const openEvents = async (token: string) => {
    const live = await openIn('absolute', gateway, { token, path: '/events' })
    await once(live.body, 'readable')
    let broken = false
    live.body.on('error', () => (broken = true)).resume()
    return { ...live, broken: () => broken }
  }
  const hangUp = async (says: string) => {
    const before = gateway.printed().split(says).length
    gateway.process.kill('SIGHUP')
    t.ok(await eventually(() => gateway.printed().split(says).length > before), says)
  }
  // Twice, so that both are remembered.
  for (const token of [tokens.fresh, tokens.old, tokens.fresh, tokens.old])
    t.equal((await ask(token)).status, 200)
  const streams = { fresh: await openEvents(tokens.fresh), old: await openEvents(tokens.old) }

  const config = parse(readFileSync(gateway.configFile, 'utf8')) as Record<string, unknown>
  const good = stringify({ ...config, build_keys: [{ file: file('fresh') }] })
  writeFileSync(gateway.configFile, good)
  await hangUp('reloaded')
  for (const shape of ['absolute', 'mount'] as const) {
    const got = await askIn(shape, gateway, { token: tokens.old })
    t.equal(got.header('refused'), 'token_forged', shape)
  }
  for (const shape of SHAPES)
    t.equal((await askIn(shape, gateway, { token: tokens.fresh })).status, 200, shape)
  t.ok(await eventually(streams.old.broken), 'what is open under the removed key ends')
  t.match(receiptOf(gateway.state, streams.old.header('receipt')), { code: 'revoked' })
  t.equal(streams.fresh.broken(), false)
  streams.fresh.leave()

  const next = randomKey()
  write('fresh', next)
  t.equal((await ask(tokens.fresh)).status, 200, 'nothing changes before it is told to')
  await hangUp('reloaded')
  t.equal((await ask(tokens.fresh)).header('refused'), 'token_forged')
  const newest = mint(next)
  t.equal((await ask(newest)).status, 200)

  rmSync(file('fresh'))
  await hangUp('kept')
  t.ok(await eventually(() => gateway.printed().includes('build_keys[0]')))
  t.equal((await ask(newest)).status, 200, 'a key that cannot be read ends nothing')
  write('fresh', 'short')
  await hangUp('kept')
  t.equal((await ask(newest)).status, 200)
  await assertAccounts(t, gateway.state, gateway.metrics)
})

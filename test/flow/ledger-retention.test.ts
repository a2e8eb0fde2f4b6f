import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { statePaths } from '../../gateway/state/paths.ts'
import { announceGateway } from '../../sidecar/gateway-file.ts'
import { run } from '../cli/in-process.ts'
import { flow } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { SHAPES } from '../helpers/shapes.ts'

flow('bodies go, receipts stay and say so', {}, async (t, gateway) => {
  const { state } = gateway
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-retention-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const cli = (...args: readonly string[]) =>
    run(['ledger', ...args], { cwd: folder, env: { NARROWGATE_STATE: state } })
  const token = gateway.mint('tools = HTTP_*')
  const receiptOf = async (id = '') =>
    (await askOwner(gateway, 'GET', `/ledger/exchanges/${id}.json`)).body

  const got = await gateway.ask(SHAPES[0], { token, path: '/old' })
  const id = got.header('receipt')
  const before = await receiptOf(id)
  const { body: hash } = before['response'] as { body: string }
  t.match(hash, /^[0-9a-f]{64}$/, 'its body is kept')
  t.equal(before['erased'], undefined)
  const file = join(statePaths(state).bodies, hash.slice(0, 2), hash.slice(2))
  t.ok(existsSync(file))
  writeFileSync(join(folder, 'before.json'), JSON.stringify(before))
  await sleep(20)

  const beside = await cli('retain', '--older-than', '1s')
  t.match(beside, { exit: 1, stderr: /another process writes to it, pid `\d+`/ })
  announceGateway(state, { pid: process.pid, ...gateway.gateway.addresses })

  const future = await askOwner(gateway, 'POST', '/api/ledger/retain', {
    before: new Date(Date.now() + 60_000).toISOString(),
  })
  t.match([future.status, future.body], [400, { code: 'malformed_request' }])
  const done = await cli('retain', '--older-than', '0s', '--json')
  t.equal(done.exit, 0, done.stderr)
  t.match(JSON.parse(done.stdout), { erased: 1 })
  t.match((await cli('retain', '--older-than', '30d')).stdout, /^0 bodies erased, 0 bytes/)

  const after = await receiptOf(id)
  t.match(after['erased'], [{ sha256: hash, by: 'owner', why: 'retention', at: /^20\d\d-.*Z$/ }])
  const { erased: _, ...rest } = after
  t.same(rest, before, 'all else is as it was')
  t.equal(existsSync(file), false, 'the bytes are gone')
  const event = gateway.records().find(({ event }) => event === 'body_erased')
  t.match(event, { subject: hash, actor: 'owner', data: { why: 'retention' }, at: /Z$/ })

  writeFileSync(join(folder, 'after.json'), JSON.stringify(after))
  for (const file of ['before.json', 'after.json'])
    t.match(await cli('verify', '--receipt', file), { exit: 0 }, file)

  const again = await gateway.ask(SHAPES[0], { token, path: '/old' })
  t.equal((await receiptOf(again.header('receipt')))['erased'], undefined, 'kept once more')
})

flow(
  'where the configuration erases, what is young stays',
  { config: { store: { max_days: 1 } } },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const got = await gateway.ask(SHAPES[0], { token })
    const { body } = await askOwner(
      gateway,
      'GET',
      `/ledger/exchanges/${got.header('receipt')}.json`,
    )
    t.equal(body['erased'], undefined, 'what is young stays')
  },
)

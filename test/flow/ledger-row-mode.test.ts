import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { statePaths } from '../../gateway/state/paths.ts'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { assertBalance, metricOf } from '../helpers/records.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'

const setup = {
  rows: [
    { name: 'CHATTY', summary: 'x', method: 'GET', path: '/chatty', ledger: 'best-effort' },
    { name: 'WEIGHTY', summary: 'x', method: 'GET', path: '/weighty' },
  ],
  config: { ledger: { segment_bytes: 65_536 } },
}

t.test('a row may go on without a record, the others may not', async (t) => {
  const gateway = await startChild(t, setup)
  const folder = statePaths(gateway.state).ledger
  const [writer = ''] = readdirSync(folder).filter((name) => name.startsWith('w_'))
  const token = gateway.mint('tools = *')
  const call = (shape: (typeof SHAPES)[number], path: string) =>
    askIn(shape, gateway, { token, path })
  for (const shape of SHAPES) {
    t.equal((await call(shape, '/chatty')).status, 200)
    t.equal((await call(shape, '/weighty')).status, 200)
  }
  // The next segment cannot be begun: this is a disk that takes nothing.
  const next = join(folder, writer, '000002.ndlog')
  mkdirSync(next)
  const isOut = async () => (await call('absolute', '/weighty')).status === 503
  for (let at = 0; at < 200 && !(await isOut()); at += 1);
  for (const shape of SHAPES) {
    const chatty = await call(shape, '/chatty')
    t.equal(chatty.status, 200, `${shape}: best effort goes on`)
    const weighty = await call(shape, '/weighty')
    t.match([weighty.status, weighty.header('refused')], [503, 'ledger_unavailable'], shape)
  }
  rmSync(next, { recursive: true })
  t.ok(await eventually(async () => (await call('absolute', '/weighty')).status === 200))
  t.ok((await assertBalance(t, gateway.state, gateway.metrics)) > 0, 'of the weighty some are lost')
  t.equal(metricOf(await gateway.metrics(), 'narrowgate_ledger_lost_records'), 0)
  t.equal(await gateway.stop(), 0)
})

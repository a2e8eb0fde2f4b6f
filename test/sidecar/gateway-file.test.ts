import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { announceGateway, announcedGateway, withdrawGateway } from '../../sidecar/gateway-file.ts'

const ADDRESSES = { pid: 7, proxy: '127.0.0.1:1', owner: '127.0.0.1:2' }

t.test('an announcement is found until it is withdrawn by its own gateway', async (t) => {
  const state = t.testdir()
  t.equal(announcedGateway(state), undefined)
  announceGateway(state, ADDRESSES)
  t.strictSame(announcedGateway(state), ADDRESSES)
  withdrawGateway(state, 8)
  t.strictSame(announcedGateway(state), ADDRESSES, 'another gateway’s stays')
  withdrawGateway(state, 7)
  t.equal(announcedGateway(state), undefined)
})

t.test('a broken announcement counts as none', async (t) => {
  const state = t.testdir()
  for (const text of ['', '{', '[]', '{"pid":"7"}', 'null']) {
    writeFileSync(join(state, 'gateway.json'), text)
    t.equal(announcedGateway(state), undefined, text)
  }
})

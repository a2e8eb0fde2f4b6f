import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { DoorLog, DoorMetrics } from '../../../gateway/doors/door.ts'
import { openDoor, openTunnel, rawClient } from './_door.ts'

function counting() {
  const counted: string[] = []
  const metrics: DoorMetrics = {
    tunnelOpened: () => counted.push('opened'),
    tunnelClosed: () => counted.push('closed'),
    unreadable: (status) => counted.push(`unreadable ${status}`),
    shed: (what) => counted.push(`shed ${what}`),
    handshakeFailed: () => counted.push('handshake failed'),
  }
  return { counted, metrics }
}

t.test('tunnels are counted as they open and close', async (t) => {
  const { counted, metrics } = counting()
  const door = await openDoor(t, { metrics })
  const socket = await openTunnel(door, 'api.test:443')
  t.same(counted, ['opened'])
  socket.destroy()
  while (counted.length < 2) await sleep(5)
  t.same(counted, ['opened', 'closed'])
})

t.test('what cannot be read is counted, since no receipt tells of it', async (t) => {
  const { counted, metrics } = counting()
  const door = await openDoor(t, { metrics })
  const client = await rawClient(t, door.port)
  client.send('nonsense', '', '')
  await client.end()
  t.same(counted, ['unreadable 400'])
})

t.test('a handshake that fails is counted, and told to the operator', async (t) => {
  const { counted, metrics } = counting()
  const told: object[] = []
  const log: DoorLog = { info: (fields) => told.push(fields), warn() {} }
  const door = await openDoor(t, { metrics, log })
  const socket = await openTunnel(door, 'api.test:443')
  socket.on('error', () => {})
  // A ClientHello without anything in it.
  socket.write(Buffer.from('160301000401000000', 'hex'))
  while (!counted.includes('handshake failed')) await sleep(5)
  t.match(told, [{ host: 'api.test' }])
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { DoorMetrics } from '../../../gateway/doors/door.ts'
import { openDoor, openTunnel, PROXY_AUTH, rawClient } from './_door.ts'

function countingSheds() {
  const sheds: string[] = []
  const metrics: DoorMetrics = {
    tunnelOpened() {},
    tunnelClosed() {},
    unreadable() {},
    handshakeFailed() {},
    shed: (what) => sheds.push(what),
  }
  return { sheds, metrics }
}

t.test('one tunnel too many is answered 503, be it read or not', async (t) => {
  const { sheds, metrics } = countingSheds()
  const door = await openDoor(t, { limits: { maxTunnels: 2 }, metrics })
  const first = await openTunnel(door, 'one.test:443')
  const second = await openTunnel(door, 'two.test:443')
  for (const authority of ['three.test:443', 'blind.test:443']) {
    const client = await rawClient(t, door.port)
    client.send(`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, PROXY_AUTH, '', '')
    const answer = await client.end()
    t.match(answer, /^HTTP\/1\.1 503 /)
    t.match(answer, /\r\nrefused: overloaded\r\n/i)
    t.match(answer, /\r\nretry-after: 1\r\n/i)
    t.match(answer, /more than 2 tunnels at one time/)
  }
  t.same(sheds, ['tunnel', 'tunnel'])
  const stranger = await rawClient(t, door.port)
  stranger.send('CONNECT api.test:443 HTTP/1.1', 'Host: api.test', '', '')
  t.match(await stranger.until(/\?$/), / 407 /, 'who has no token learns nothing of it')
  first.destroy()
  second.destroy()
  while (door.listener.connections() > 1) await sleep(5)
  for (const authority of ['four.test:443', 'five.test:443'])
    (await openTunnel(door, authority)).destroy()
  t.equal(sheds.length, 2, 'who goes makes room')
  t.equal(door.knocks.length, 0)
})

t.test('one connection too many is closed at once, and counted', async (t) => {
  const { sheds, metrics } = countingSheds()
  const door = await openDoor(t, { limits: { maxConnections: 1 }, metrics })
  const client = await rawClient(t, door.port)
  const other = connect(door.port, '127.0.0.1')
  other.on('error', () => {})
  await once(other, 'close')
  t.same(sheds, ['connection'])
  client.send('GET http://api.test/ HTTP/1.1', 'Host: api.test', '', '')
  t.match(await client.until(/\}$/), / 200 /, 'the first one goes on')
})

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Test } from 'tap'
import type { Exchange } from '../../../gateway/knock.ts'
import { describe, openDoor, openTls, rawClient } from './_door.ts'
import type { RawClient, TestDoor } from './_door.ts'
import { ask, openHttp2 } from './_http2.ts'

// Short beside what a busy machine delays, long beside what a test may take.
const IDLE_MS = 400
const limits = { idleMs: IDLE_MS }
const ENDLESS: Exchange = async () => ({
  status: 200,
  headers: [],
  body: new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  }),
})
const READING: Exchange = async (knock) => {
  await knock.body?.toArray().catch(() => {})
  return { status: 200, headers: [], body: null }
}
const WAYS: Readonly<Record<string, (t: Test, door: TestDoor) => Promise<RawClient>>> = {
  plain: (t, door) => rawClient(t, door.port),
  tunnelled: async (t, door) => rawClient(t, door.port, await openTls(t, door)),
}
const head = (method: string, way: string, ...fields: readonly string[]) => [
  way === 'plain' ? `${method} http://api.test/ HTTP/1.1` : `${method} / HTTP/1.1`,
  'Host: api.test',
  ...fields,
  '',
  '',
]

for (const [way, open] of Object.entries(WAYS)) {
  t.test(`${way}: a client that stops sending its body is cut`, async (t) => {
    const door = await openDoor(t, { limits, exchange: READING })
    const client = await open(t, door)
    client.send(...head('POST', way, 'Content-Length: 9'), 'abc')
    t.equal(await client.end(), '')
    while (!door.knocks[0]?.signal.aborted) await sleep(20)
  })

  t.test(`${way}: a client that stops reading its answer is cut`, async (t) => {
    const door = await openDoor(t, { limits, exchange: ENDLESS })
    const client = await open(t, door)
    client.send(...head('GET', way))
    await client.until(/\r\n\r\n/)
    client.socket.pause()
    while (!door.knocks[0]?.signal.aborted) await sleep(20)
    t.equal(door.knocks.length, 1)
  })

  t.test(`${way}: a slow upstream, and a client that is slow but moves, are not cut`, async (t) => {
    const door = await openDoor(t, {
      limits,
      async exchange(knock) {
        const reply = await describe(knock)
        await sleep(3 * IDLE_MS)
        return reply
      },
    })
    const client = await open(t, door)
    client.send(...head('POST', way, 'Content-Length: 8'))
    for (let at = 0; at < 8; at++) {
      await sleep(IDLE_MS / 4)
      client.send('x')
    }
    t.match(await client.until(/"body":"x+"\}/), /"body":"xxxxxxxx"\}$/)
  })

  t.test(`${way}: a body that nobody has asked for yet is not waited for`, async (t) => {
    const door = await openDoor(t, {
      limits,
      async exchange(knock) {
        await sleep(3 * IDLE_MS)
        return describe(knock)
      },
    })
    const client = await open(t, door)
    client.send(...head('POST', way, 'Content-Length: 1'))
    await sleep(2 * IDLE_MS)
    client.send('x')
    t.match(await client.until(/"body":"x"\}/), / 200 /)
  })
}

t.test('HTTP/2: the same for each stream, and the others go on', async (t) => {
  const door = await openDoor(t, {
    limits,
    async exchange(knock) {
      if (knock.path === '/endless') return ENDLESS(knock)
      if (knock.path === '/unsent') return READING(knock)
      const reply = await describe(knock)
      await sleep(3 * IDLE_MS)
      return reply
    },
  })
  const session = await openHttp2(t, door)
  const slow = ask(session, { ':path': '/slow', ':method': 'POST' }, 'x')
  const unsent = session.request({ ':path': '/unsent', ':method': 'POST' })
  unsent.on('error', () => {}).write('abc')
  const unread = session.request({ ':path': '/endless' })
  unread.on('error', () => {}).pause()
  await Promise.all(
    ['/unsent', '/endless'].map(async (path) => {
      const knock = () => door.knocks.find((one) => one.path === path)
      while (!knock()?.signal.aborted) await sleep(20)
    }),
  )
  t.match(await slow, { status: 200, text: '"body":"x"', code: 0 })
})

t.test('an upgrade that is answered with a body: a client that stops reading is cut', async (t) => {
  const door = await openDoor(t, { limits, exchange: ENDLESS })
  const client = await rawClient(t, door.port)
  client.send(...head('GET', 'plain', 'Connection: Upgrade', 'Upgrade: websocket'))
  await client.until(/\r\n\r\n/)
  client.socket.pause()
  while (!door.knocks[0]?.signal.aborted) await sleep(20)
  t.equal(door.knocks.length, 1)
})

t.test('a refused CONNECT that is tried again leaves no timer that cuts', async (t) => {
  const door = await openDoor(t, { limits })
  const client = await rawClient(t, door.port)
  client.send('CONNECT api.test:443 HTTP/1.1', 'Host: api.test', '', '')
  await client.until(/who are you\?/)
  client.send('POST http://api.test/ HTTP/1.1', 'Host: api.test', 'Content-Length: 8', '', '')
  for (let at = 0; at < 8; at++) {
    await sleep(IDLE_MS / 4)
    client.send('x')
  }
  t.match(await client.until(/"body":"x+"\}/), / 200 /)
})

import { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Exchange, Reply } from '../../../gateway/knock.ts'
import { challenge, describe, openDoor, PROXY_AUTH, rawClient, TOKEN } from './_door.ts'

// What a client sends before it is answered is not lost, and comes in its order.

const WAIT_MS = 80
const MANY = 'x'.repeat(200_000)

/** Gives back what it gets. */
const echo = (): Duplex =>
  new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      this.push(chunk)
      done()
    },
  })

const slowEcho: Exchange = async (knock): Promise<Reply> => {
  if (!knock.upgrade && knock.shape !== 'tunnel-blind') return describe(knock)
  await delay(WAIT_MS)
  return { status: 101, headers: [], body: null, socket: echo() }
}

const options = {
  exchange: slowEcho,
  async admit(credential: string | undefined, { host }: { readonly host: string }) {
    await delay(WAIT_MS)
    if (credential !== TOKEN) return { ok: false, reply: challenge } as const
    return { ok: true, intercept: !host.startsWith('blind.') } as const
  },
}

for (const [name, authority] of Object.entries({ clear: 'api.test:80', blind: 'blind.test:9' }))
  t.test(`what is sent behind a CONNECT, ${name}`, async (t) => {
    const door = await openDoor(t, options)
    const client = await rawClient(t, door.port)
    client.send(`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, PROXY_AUTH, '', '')
    const parts = ['POST /a HTTP/1.1\r\nHost: api.test\r\nContent-', 'Length: 200003\r\n\r\n', MANY]
    for (const part of parts) {
      await delay(WAIT_MS / 4)
      client.send(part)
    }
    await client.until(/200 Connection established\r\n\r\n/)
    client.send('end')
    const seen = await client.until(/xend/)
    t.match(seen, name === 'clear' ? /"body":"x+end/ : /^POST \/a HTTP\/1.1\r\nHost: api.test\r\n/)
    t.equal(/x{9,}/.exec(seen)?.[0].length, MANY.length)
  })

t.test('what is sent behind an upgrade', async (t) => {
  const door = await openDoor(t, options)
  const client = await rawClient(t, door.port)
  client.send('GET http://api.test/ HTTP/1.1', 'Host: api.test', PROXY_AUTH)
  client.send('', 'Connection: Upgrade', 'Upgrade: websocket', '', 'one')
  await delay(WAIT_MS / 4)
  client.send(MANY)
  await client.until(/^HTTP\/1.1 101 [^]*\r\n\r\n/)
  client.send('two')
  const seen = await client.until(/two/)
  t.equal(seen, `one${MANY}two`)
})

t.test('what is sent behind a CONNECT that is refused', async (t) => {
  const door = await openDoor(t, options)
  const client = await rawClient(t, door.port)
  client.send('CONNECT api.test:80 HTTP/1.1', 'Host: api.test:80', '', '')
  await delay(WAIT_MS / 4)
  client.send('CONNECT api.test:80 HTTP/1.1', 'Host: api.test:80', PROXY_AUTH, '', '')
  await delay(WAIT_MS / 4)
  client.send('GET /b HTTP/1.1', 'Host: api.test', '', '')
  await client.until(/^HTTP\/1.1 407 [^]*who are you\?HTTP\/1.1 200 Connection established\r\n\r\n/)
  t.match(await client.until(/\}$/), /"path":"\/b"/)
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Exchange, Reply } from '../../../gateway/knock.ts'
import { eventually } from '../../helpers/gateway.ts'
import { MOUNT } from '../../helpers/shapes.ts'
import { vanish } from '../../helpers/vanish/client.ts'
import { STEPS } from '../../helpers/vanish/steps.ts'
import { challenge, openDoor, TOKEN } from './_door.ts'

// Every client of this test has gone; whatever the gateway still holds for one of them is a leak. No timer of the
// gateway is short enough to hide it: they are as they come.

t.jobs = 8

const SOON_MS = 4_000
const OK: Reply = { status: 200, headers: [], body: Buffer.from('ok') }

/** Pieces that come as fast as they are taken. */
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(20_000))
    },
  })

/** One piece, and then nothing more. */
const begun = () => {
  const body = new Readable({ read() {} })
  body.push('begun')
  return body
}

/** An upstream that says nothing, and ends when its client does. */
const silence = (): Duplex =>
  new Duplex({
    read() {},
    write: (_chunk, _encoding, done) => done(),
    final(done) {
      this.push(null)
      done()
    },
  })

const exchange: Exchange = async (knock) => {
  if (knock.shape === 'tunnel-blind') return { ...OK, socket: silence() }
  switch (knock.path) {
    case '/silent':
      if (!knock.signal.aborted)
        await new Promise<void>((resolve) => knock.signal.addEventListener('abort', resolve))
      return OK
    case '/read':
      await knock.body?.toArray().catch(() => {})
      return OK
    case '/begun':
      return { ...OK, body: begun() }
    case '/endless':
      return { ...OK, body: endless() }
    case '/switch':
      return { ...OK, status: 101, socket: silence() }
    default:
      return OK
  }
}

const mounts = [
  {
    prefix: MOUNT,
    host: undefined,
    to: { scheme: 'http', host: 'api.test', port: 80 },
    basePath: '',
    slot: 'authorization',
  },
] as const

for (const { name, reach, manners } of STEPS)
  t.test(name, { buffered: true }, async (t) => {
    let under = 0
    const door = await openDoor(t, {
      mounts: () => mounts,
      async exchange(knock) {
        under += 1
        return exchange(knock).finally(() => (under -= 1))
      },
      async admit(credential, { host }) {
        // Long enough to go in.
        await delay(30)
        if (credential !== TOKEN) return { ok: false, reply: challenge }
        return { ok: true, intercept: !host.startsWith('blind.') }
      },
    })
    const shown = { port: door.port, caPem: door.caPem, token: TOKEN }
    for (const manner of manners) {
      const socket = await reach(shown)
      vanish(socket, manner)
      const settled = () => door.listener.connections() === 0 && under === 0
      await eventually(settled, SOON_MS)
      t.equal(door.listener.connections(), 0, `${manner}: no connection is left`)
      t.equal(under, 0, `${manner}: no exchange is left`)
      socket.destroy()
      await eventually(settled, 20_000)
    }
  })

t.test('nothing is asked for a client that goes while its CONNECT is judged', async (t) => {
  const door = await openDoor(t, {
    async admit() {
      await delay(100)
      return { ok: true, intercept: false }
    },
    exchange,
  })
  const socket = connect(door.port, '127.0.0.1')
  socket.resume().end('CONNECT blind.test:443 HTTP/1.1\r\nHost: blind.test:443\r\n\r\n')
  await once(socket, 'close')
  t.equal(door.knocks.length, 0)
})

import type { ClientHttp2Session } from 'node:http2'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import t from 'tap'
import type { Exchange } from '../../../gateway/knock.ts'
import { openDoor } from './_door.ts'
import { ask, openHttp2 } from './_http2.ts'

// Node counts what a cancelled stream had not sent yet against its connection's memory for good, and refuses streams
// where there is none left: a client that gives up answers must not come to its end by that.

const MEGABYTE = Buffer.alloc(1_000_000)
const exchange: Exchange = async ({ path }) => {
  const headers = ['content-type', 'application/octet-stream']
  if (path === '/whole') return { status: 200, headers, body: MEGABYTE }
  if (path !== '/stream') return { status: 200, headers, body: Buffer.from('ok') }
  const pieces = Array.from({ length: 100 }, () => MEGABYTE.subarray(0, 65_536))
  return { status: 200, headers, body: Readable.from(pieces, { objectMode: false }) }
}

/** Asks, reads the beginning of the answer, and cancels. */
async function giveUp(session: ClientHttp2Session, path: string): Promise<number> {
  const stream = session.request({ ':path': path }).on('error', () => {})
  stream.once('data', () => stream.close(8))
  const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }]
  await once(stream, 'close')
  return status
}

for (const path of ['/whole', '/stream'])
  t.test(`${path}: answers that are given up do not use a connection up`, async (t) => {
    const door = await openDoor(t, { exchange })
    // Hardly anything of what is written is sent.
    const session = await openHttp2(t, door, { initialWindowSize: 1_000 })
    for (let at = 0; at < 300; at++) await giveUp(session, path)
    const { status, text } = await ask(session, { ':path': '/ok' })
    t.equal(status, 200)
    t.equal(text, 'ok')
  })

t.test('a client that gives up very many is sent to a new connection', async (t) => {
  const door = await openDoor(t, { exchange })
  const session = await openHttp2(t, door)
  const told = once(session, 'goaway')
  const going = once(session, 'close')
  const slow = session.request({ ':path': '/stream' })
  let bytes = 0
  for (let at = 0; at < 500; at++) t.equal(await giveUp(session, '/whole'), 200)
  const [code] = (await told) as [number]
  t.equal(code, 0, 'in good order')
  slow.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await once(slow, 'end')
  t.equal(bytes, 100 * 65_536, 'what is under way ends well')
  await going
})

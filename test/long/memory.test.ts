import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import type { ChildGateway } from '../helpers/child.ts'
import { KEY } from '../helpers/gateway.ts'
import { assertAccounts } from '../helpers/records.ts'
import { openIn, SHAPES } from '../helpers/shapes.ts'

// A hundred megabytes in each direction, with a key to look for, in a gateway of its own whose memory is watched.
// About half a minute on two cores.

const MIB = 1024 * 1024
const TOTAL = 100 * MIB
const PIECE = randomBytes(MIB)
/** Kept bodies would cost the disk a gigabyte; the way through the gateway is the same. */
const SETUP = { keys: [{ header: 'x-key' }], upstream: { keep: 'hash' } }

function rssOf({ process }: ChildGateway): number {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** The most that memory grew while `work` ran. */
async function growthDuring(gateway: ChildGateway, work: () => Promise<void>): Promise<number> {
  const before = rssOf(gateway)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, rssOf(gateway))), 20)
  await work()
  clearInterval(timer)
  return Math.max(most, rssOf(gateway)) - before
}

function pieces(): Readable {
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < TOTAL; sent += MIB) yield PIECE
    })(),
  )
}

async function pourOut(res: ServerResponse): Promise<void> {
  for (let sent = 0; sent < TOTAL; sent += MIB) if (!res.write(PIECE)) await once(res, 'drain')
  res.end()
}

t.test('bodies of any size in constant memory', async (t) => {
  const digest = createHash('sha256')
  for (let sent = 0; sent < TOTAL; sent += MIB) digest.update(PIECE)
  const expected = digest.digest('hex')
  const gateway = await startChild(t, {
    ...SETUP,
    async serve(req, res) {
      const hash = createHash('sha256')
      for await (const chunk of req) hash.update(chunk as Buffer)
      if (req.method === 'GET') return pourOut(res)
      res.end(`${hash.digest('hex')} ${req.headers['x-key'] === KEY}`)
    },
  })
  const token = gateway.mint('tools = HTTP_*')
  const sent = async (shape: (typeof SHAPES)[number], body?: Readable) => {
    const method = body === undefined ? 'GET' : 'PUT'
    const live = await openIn(shape, gateway, {
      token,
      method,
      ...(body === undefined ? {} : { body }),
    })
    const hash = createHash('sha256')
    let text = ''
    for await (const chunk of live.body) {
      hash.update(chunk as Buffer)
      if (body !== undefined) text += String(chunk)
    }
    live.leave()
    return body === undefined ? hash.digest('hex') : text
  }
  // The first calls fill pools and compile code, which is no growth by size.
  for (const shape of SHAPES) await sent(shape, Readable.from([PIECE]))
  await sent('absolute')
  for (const shape of SHAPES) {
    const growth = await growthDuring(gateway, async () => {
      t.equal(await sent(shape), expected, `${shape}: down`)
      t.equal(await sent(shape, pieces()), `${expected} true`, `${shape}: up`)
    })
    t.ok(growth < 64 * MIB, `${shape}: memory grew by ${Math.round(growth / MIB)} MiB`)
  }
  await assertAccounts(t, gateway.state, gateway.metrics)
})

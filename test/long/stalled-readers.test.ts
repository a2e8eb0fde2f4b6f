import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import type { ChildGateway } from '../helpers/child.ts'
import { assertAccounts } from '../helpers/records.ts'
import { openIn, SHAPES } from '../helpers/shapes.ts'
import type { Live } from '../helpers/shapes.ts'

// Eight clients begin to read a gigabyte each and stop. What the gateway then holds of it is its own affair, and little.

const MIB = 1024 * 1024
const TOTAL = 1024 * MIB
const PIECE = Buffer.alloc(256 * 1024, 'x')
const READERS = 8

function rssOf({ process }: ChildGateway): number {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

let sent = 0

function pour(res: ServerResponse): void {
  let left = TOTAL
  const more = () => {
    while (left > 0 && !res.destroyed) {
      left -= PIECE.length
      sent += PIECE.length
      if (!res.write(PIECE)) return void res.once('drain', more)
    }
    res.end()
  }
  more()
}

/** Waits until nothing has been sent for a while. */
async function standstill(): Promise<void> {
  let before = -1
  while (before !== sent) {
    before = sent
    await delay(400)
  }
}

for (const engine of ['fast', 'general'])
  t.test(`${engine}: eight stalled readers of a gigabyte cost little memory`, async (t) => {
    const gateway = await startChild(t, {
      keys: [{ header: 'x-key' }],
      upstream: { keep: 'hash' },
      config: { engine },
      serve(req, res) {
        if (req.url === '/short') return void res.end(PIECE)
        res.writeHead(200, { 'content-length': TOTAL, 'content-type': 'text/plain' })
        pour(res)
      },
    })
    const token = gateway.mint('tools = HTTP_*')
    // Code that is compiled and pools that are filled are no growth by size.
    for (const shape of [...SHAPES, ...SHAPES]) {
      const live = await openIn(shape, gateway, { token, path: '/short' })
      for await (const _ of live.body);
      live.leave()
    }
    const before = rssOf(gateway)
    const stalled: Live[] = []
    for (let at = 0; at < READERS; at++) {
      const live = await openIn(SHAPES[at % SHAPES.length] ?? 'absolute', gateway, { token })
      live.body.on('error', () => {}).pause()
      stalled.push(live)
    }
    await standstill()
    const grown = rssOf(gateway) - before
    t.comment(`${engine}: ${Math.round(grown / MIB)} MiB, ${Math.round(sent / MIB)} MiB were sent`)
    t.ok(grown < 64 * MIB, `memory grew by ${Math.round(grown / MIB)} MiB`)
    t.ok(sent > 0 && sent < TOTAL, 'the upstream stands still too')
    for (const live of stalled) live.leave()
    await assertAccounts(t, gateway.state, gateway.metrics)
    sent = 0
  })

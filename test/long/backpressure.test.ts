import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { flow } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

const MIB = 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 'x')
const TOTAL = 32 * MIB
/** Buffers of four sockets and some streams; far less than what is sent. */
const SLACK = 20 * MIB

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      res.off('drain', go).off('close', go)
      resolve()
    }
    res.on('drain', go).on('close', go)
  })
}

let sent = 0

flow(
  'a slow reader slows the upstream down',
  {
    upstream: { keep: 'none' },
    async serve(_req, res) {
      for (sent = 0; sent < TOTAL && !res.destroyed; sent += PIECE.length)
        if (!res.write(PIECE)) await drained(res)
      res.end()
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const live = await gateway.open(shape, { token })
      let before = -1
      while (before !== sent) {
        before = sent
        await delay(150)
      }
      t.ok(
        sent < SLACK,
        `${shape}: ${Math.round(sent / MIB)} MiB were taken of a reader that reads nothing`,
      )
      let got = 0
      for await (const chunk of live.body) got += (chunk as Buffer).length
      live.leave()
      t.equal(got, TOTAL, 'and all of it came in the end')
    }
  },
)

let arrived = 0

flow(
  'a slow upstream slows the client down',
  {
    async serve(req, res) {
      req.on('error', () => {})
      await delay(600)
      for await (const chunk of req) arrived += (chunk as Buffer).length
      res.end(String(arrived))
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      arrived = 0
      let given = 0
      const body = Readable.from(
        (function* () {
          for (; given < TOTAL; given += PIECE.length) yield PIECE
        })(),
      )
      const call = gateway.ask(shape, { token, method: 'PUT', body })
      await delay(400)
      t.ok(
        given < SLACK,
        `${shape}: ${Math.round(given / MIB)} MiB were taken before the upstream read`,
      )
      t.equal((await call).text, String(TOTAL))
    }
  },
)

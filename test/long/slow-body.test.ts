import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually, flow } from '../helpers/gateway.ts'
import type { Setup } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

const BODY_MS = 500
const ROWS = [
  {
    name: 'SEND',
    method: 'POST',
    path: '/send',
    args: { properties: { to: { in: 'body', type: 'string' } } },
  },
]

const setup = (engine: string): Setup => ({
  rows: ROWS,
  config: { engine, limits: { body_ms: BODY_MS, drain_ms: 200 } },
  async serve(req, res) {
    if (req.url === '/early') res.write('early ')
    let bytes = 0
    req.on('error', () => {})
    try {
      for await (const chunk of req) bytes += (chunk as Buffer).length
      res.end(String(bytes))
    } catch {
      res.destroy()
    }
  },
})

/** A byte now and then: never silent for long, and never done in time. */
function trickle(bytes: number): Readable {
  return Readable.from(
    (async function* () {
      for (let sent = 0; sent < bytes; sent++) {
        yield Buffer.from(' ')
        await delay(25)
      }
    })(),
  )
}

const ENDLESS = 400
const FRAMINGS = { counted: { 'content-length': String(ENDLESS) }, chunked: {} }

for (const engine of ['fast', 'general']) {
  flow(
    `${engine}: a body that trickles in is cut, however busily`,
    setup(engine),
    async (t, gateway) => {
      const token = gateway.mint('tools = HTTP_*,SEND*', 'arg SEND.to = a', 'arg SEND_TLS.to = a')
      const calls = SHAPES.flatMap((shape) =>
        Object.entries(FRAMINGS).flatMap(([framing, headers]) =>
          ['/slow', '/send'].map(async (path) => {
            const got = await gateway.ask(shape, {
              token,
              method: 'POST',
              path,
              headers: { 'content-type': 'application/json', ...headers },
              body: trickle(ENDLESS),
            })
            const name = `${shape}, ${framing}, ${path}`
            t.same([got.status, got.header('refused')], [408, 'malformed_request'], name)
            t.match(got.text, `no whole body within ${BODY_MS} ms`)
            const receipt = gateway.receipt(got.header('receipt'))
            t.match(receipt, { outcome: 'refused', code: 'malformed_request' }, name)
            // What is judged is read before anything is sent.
            t.equal(receipt?.ran, path === '/send' ? false : 'unknown', name)
          }),
        ),
      )
      await Promise.all(calls)
    },
  )

  flow(
    `${engine}: an answer that has begun gives its body time`,
    setup(engine),
    async (t, gateway) => {
      const token = gateway.mint('tools = HTTP_*')
      const bytes = Math.ceil((3 * BODY_MS) / 25)
      const calls = SHAPES.map(async (shape) => {
        const body = trickle(bytes)
        const headers = { 'content-length': String(bytes) }
        const got = await gateway.ask(shape, {
          token,
          method: 'POST',
          path: '/early',
          headers,
          body,
        })
        t.same([got.status, got.text, got.whole], [200, `early ${bytes}`, true], shape)
      })
      await Promise.all(calls)
      const open = () => gateway.records().filter(({ kind }) => kind === 'outcome').length
      t.ok(await eventually(() => open() === SHAPES.length))
    },
  )
}

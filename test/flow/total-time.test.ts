import { eventually, flow } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

let closed = 0

for (const engine of ['fast', 'general'])
  flow(
    `${engine}: a call that does not come to its end in time is ended`,
    {
      config: { engine, limits: { upstream_total_ms: 700 } },
      serve(req, res) {
        const timer = setInterval(() => {
          if (req.url === '/stream') res.write('more')
        }, 50)
        res.once('close', () => {
          clearInterval(timer)
          closed += 1
        })
      },
    },
    async (t, gateway) => {
      const token = gateway.mint('tools = HTTP_*')
      const silent = SHAPES.map(async (shape) => {
        const got = await gateway.ask(shape, { token })
        t.same([got.status, got.header('refused')], [504, 'upstream_timeout'], shape)
        t.match(got.text, /upstream_total_ms/)
        t.match(gateway.receipt(got.header('receipt')), { outcome: 'failed', ran: 'unknown' })
      })
      const streams = SHAPES.map(async (shape) => {
        const got = await gateway.ask(shape, { token, path: '/stream' })
        t.same([got.status, got.whole], [200, false], `${shape}: half an answer never looks whole`)
        const receipt = () => gateway.receipt(got.header('receipt'))
        t.ok(await eventually(() => receipt()?.outcome !== undefined))
        t.match(receipt(), { outcome: 'failed', ran: true, code: 'upstream_timeout' })
      })
      await Promise.all([...silent, ...streams])
      t.ok(await eventually(() => closed === 2 * SHAPES.length), 'the upstreams saw all of them go')
      closed = 0
    },
  )

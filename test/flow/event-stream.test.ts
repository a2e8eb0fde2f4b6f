import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { flow } from '../helpers/gateway.ts'
import { finish, SHAPES } from '../helpers/shapes.ts'

// The upstream sends its last event only once the client has seen the first: buffering anywhere would hang.

const waiting: ServerResponse[] = []

flow(
  'the first event is there before the last is sent',
  {
    keys: [{ header: 'x-key' }],
    serve(req, res) {
      if (req.url === '/go')
        return void waiting.shift()?.end('data: last\n\n', () => res.end('went'))
      waiting.push(res.writeHead(200, { 'content-type': 'text/event-stream' }))
      res.write('data: first\n\n')
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const live = await gateway.open(shape, { token, path: '/events' })
      const [first] = (await once(live.body, 'data')) as [Buffer]
      t.equal(first.toString(), 'data: first\n\n', shape)
      live.body.pause()
      t.equal(gateway.receipt(live.header('receipt'))?.outcome, undefined, 'it is still open')
      await gateway.ask('absolute', { token, path: '/go' })
      const { text, whole } = await finish(live)
      t.same({ text, whole }, { text: 'data: last\n\n', whole: true })
      t.equal(gateway.receipt(live.header('receipt'))?.outcome, 'allowed')
    }
  },
)

flow(
  'an event goes on although its head was all that came',
  {
    serve(_req, res) {
      waiting.push(res.writeHead(200, { 'content-type': 'text/event-stream' }))
      res.flushHeaders()
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const live = await gateway.open(shape, { token })
      t.equal(live.status, 200, `${shape}: the head came alone`)
      waiting.shift()?.end('data: x\n\n')
      t.equal((await finish(live)).text, 'data: x\n\n')
    }
  },
)

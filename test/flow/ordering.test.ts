import { readRecords } from '../helpers/records.ts'
import type { LogRecord } from '../helpers/records.ts'
import { flow } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

// The two promises of strict mode, read from the file itself: by the upstream as a request reaches it, and by the
// client as its answer is whole. The answer's body takes every framing that there is.

let gateway: TestGateway | undefined
let intents: readonly LogRecord[] = []

flow(
  'no byte goes upstream before its intent is in the file, no answer ends before its outcome is',
  {
    serve(req, res) {
      intents = readRecords(gateway?.state ?? '').filter(({ kind }) => kind === 'intent')
      if (req.url === '/length') return void res.setHeader('content-length', 5).end('12345')
      if (req.url === '/chunked') return void (res.write('1234'), res.end('5'))
      if (req.url === '/empty') return void res.writeHead(204).end()
      if (req.url === '/zero') return void res.setHeader('content-length', 0).end()
      if (req.url === '/close') {
        res.shouldKeepAlive = false
        res.useChunkedEncodingByDefault = false
      }
      res.setHeader('content-type', 'application/json').end('{"a":1,"b":2}')
    },
  },
  async (t, opened) => {
    gateway = opened
    const token = gateway.mint('tools = HTTP_GET,HTTP_HEAD,HTTP_PUT')
    const calls = [
      ...['/length', '/chunked', '/empty', '/zero', '/close'].map((path) => ({ path })),
      { path: '/length', method: 'HEAD' },
      { path: '/cut', headers: { want: 'a' } },
      { path: '/put', method: 'PUT', body: 'x' },
    ]
    for (const shape of SHAPES)
      for (const call of calls) {
        const before = intents.length
        const got = await gateway.ask(shape, { token, ...call })
        const name = `${shape}: ${call.path}`
        // From here on nothing may be waited for: the file is read as the answer ends.
        const receipt = gateway.receipt(got.header('receipt'))
        t.equal(receipt?.outcome, 'allowed', `${name}: the outcome is in the file`)
        t.equal(intents.length, before + 1, `${name}: the upstream saw the intent in the file`)
        t.equal(intents.at(-1)?.id, got.header('receipt'))
      }
  },
)

flow('no refusal ends before its receipt is in the file', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token, method: 'POST' })
    t.match(
      gateway.receipt(got.header('receipt')),
      { kind: 'refusal', outcome: 'refused', ran: false },
      shape,
    )
  }
  t.equal(gateway.upstreams.arrived.length, 0)
})

import { eventually, flow } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { answerJson } from '../helpers/upstream.ts'

// What a projection must leave alone, and what it must refuse.

flow(
  'what is not JSON passes as it is',
  {
    serve: (_req, res) => void res.setHeader('content-type', 'text/html').end('<p>{"a":1}</p>'),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, headers: { want: 'a' } })
      t.same([got.status, got.text, got.header('projected')], [200, '<p>{"a":1}</p>', 'no'], shape)
    }
  },
)

flow(
  'broken JSON is named with its offset',
  {
    serve: (_req, res) => void res.setHeader('content-type', 'application/json').end('[{"a":1},}]'),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, headers: { want: 'a' } })
      t.same([got.status, got.header('refused')], [502, 'upstream_invalid'], shape)
      t.match(got.text, 'at byte 9')
      t.match(gateway.receipt(got.header('receipt')), { outcome: 'failed', ran: true })
      t.equal((await gateway.ask(shape, { token })).text, '[{"a":1},}]', 'and can be had as it is')
    }
  },
)

flow(
  'JSON that breaks late breaks the answer off',
  {
    serve: (_req, res) =>
      void res.setHeader('content-type', 'application/json').end(`[${'{"a":1},'.repeat(20_000)}}]`),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, headers: { want: 'a' } })
      t.same([got.status, got.whole], [200, false], `${shape}: what was sent does not look whole`)
      const receipt = () => gateway.receipt(got.header('receipt'))
      await eventually(() => receipt()?.outcome !== undefined)
      t.match(receipt(), { outcome: 'failed', ran: true, code: 'upstream_invalid' })
    }
  },
)

flow('no rows', { serve: (_req, res) => answerJson(res, { a: 1 }) }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token, headers: { want: '{"order":["a"]}' } })
    t.same([got.status, got.header('refused')], [400, 'no_rows'], shape)
    t.match(gateway.receipt(got.header('receipt')), { ran: true, code: 'no_rows' })
  }
})

flow(
  'validators are weakened, digests and ranges are gone',
  {
    serve(req, res) {
      res
        .setHeader('etag', '"v1"')
        .setHeader('accept-ranges', 'bytes')
        .setHeader('content-md5', 'x')
      if (req.headers['if-none-match'] === '"v1"') return void res.writeHead(304).end()
      answerJson(res, { a: 1, range: req.headers.range ?? 'none', b: 2 })
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, {
        token,
        headers: { want: 'range', range: 'bytes=0-3' },
      })
      t.equal(got.text, '{"range":"none"}', `${shape}: no range was asked of the upstream`)
      t.equal(got.header('etag'), 'W/"v1"')
      t.same([got.header('accept-ranges'), got.header('content-md5')], [undefined, undefined])
      const whole = await gateway.ask(shape, { token })
      t.equal(whole.header('etag'), '"v1"', 'what is not cut keeps its own')
      const same = await gateway.ask(shape, {
        token,
        headers: { want: 'a', 'if-none-match': '"v1"' },
      })
      t.same([same.status, same.text], [304, ''])
      t.equal(gateway.receipt(same.header('receipt'))?.outcome, 'allowed')
    }
  },
)

flow(
  'HEAD has no body to cut',
  { serve: (_req, res) => answerJson(res, { a: 1 }) },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, method: 'HEAD', headers: { want: 'a' } })
      t.same([got.status, got.text, got.whole], [200, '', true], shape)
      t.equal(gateway.receipt(got.header('receipt'))?.outcome, 'allowed')
    }
  },
)

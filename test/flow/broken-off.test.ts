import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { eventually, flow } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { ofExchanges } from '../helpers/records.ts'
import { SHAPES } from '../helpers/shapes.ts'

let closed = 0

flow(
  'a client that goes takes the upstream’s work with it',
  {
    serve(_req, res) {
      res.once('close', () => (closed += 1))
      res.write('begun')
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      closed = 0
      const live = await gateway.open(shape, { token })
      await once(live.body, 'data')
      live.body.on('error', () => {})
      live.leave()
      t.ok(await eventually(() => closed === 1), `${shape}: the upstream saw it go`)
      const receipt = () => gateway.receipt(live.header('receipt'))
      t.ok(await eventually(() => receipt()?.outcome !== undefined), 'the receipt is closed')
      t.match(receipt(), { outcome: 'gone', ran: true, response: { truncated: true } }, shape)
    }
  },
)

flow(
  'a client that goes before the answer',
  {
    serve(_req, res) {
      res.once('close', () => (closed += 1))
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*', 'uses <= 100')
    for (const shape of SHAPES) {
      closed = 0
      const before = gateway.upstreams.arrived.length
      const leaving = new AbortController()
      const opening = gateway.open(shape, { token, signal: leaving.signal })
      await eventually(() => gateway.upstreams.arrived.length > before)
      leaving.abort()
      await t.rejects(opening)
      t.ok(await eventually(() => closed === 1), `${shape}: the upstream saw it go`)
      t.ok(await eventually(() => lastOutcome(gateway) === 'gone'), 'the receipt says so')
    }
    t.same(
      new Set(gateway.records().flatMap(({ kind, ran }) => (kind === 'outcome' ? [ran] : []))),
      new Set(['unknown']),
    )
  },
)

function lastOutcome(gateway: TestGateway): string | undefined {
  const last = ofExchanges(gateway.records()).at(-1)
  return last?.kind === 'outcome' ? last.outcome : undefined
}

type Death = (res: ServerResponse) => void

const DEATHS: Readonly<Record<string, Death>> = {
  chunked: (res) => void res.write('begun'),
  'content-length': (res) => void res.writeHead(200, { 'content-length': 100 }).write('begun'),
  json: (res) => void res.writeHead(200, { 'content-type': 'application/json' }).write('[{"a":1},'),
}

flow(
  'an upstream that dies in mid-answer',
  {
    serve(req, res) {
      DEATHS[req.url?.slice(1) ?? '']?.(res)
      setTimeout(() => res.socket?.destroy(), 30)
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES)
      for (const death of Object.keys(DEATHS)) {
        const got = await gateway.ask(shape, { token, path: `/${death}` })
        t.same(
          [got.status, got.whole],
          [200, false],
          `${shape}, ${death}: half an answer never looks whole`,
        )
        const receipt = () => gateway.receipt(got.header('receipt'))
        await eventually(() => receipt()?.outcome !== undefined)
        t.match(receipt(), { outcome: 'failed', ran: true, code: 'upstream_failed' })
      }
  },
)

flow(
  'an upstream that dies before its answer is cut down',
  {
    serve(_req, res) {
      DEATHS['json']?.(res)
      setTimeout(() => res.socket?.destroy(), 30)
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, headers: { want: 'a' } })
      t.same([got.status, got.header('refused'), got.whole], [502, 'upstream_failed', true], shape)
      t.match(gateway.receipt(got.header('receipt')), { outcome: 'failed', ran: true })
    }
  },
)

flow(
  'an upstream that hangs up without an answer',
  {
    serve: (req) => void req.socket.destroy(),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, method: 'POST', body: 'x' })
      t.same([got.status, got.header('refused')], [502, 'upstream_failed'], shape)
      t.match(
        gateway.receipt(got.header('receipt')),
        { outcome: 'failed', ran: 'unknown' },
        'nobody knows',
      )
    }
  },
)

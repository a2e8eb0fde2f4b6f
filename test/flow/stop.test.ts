import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { verifySegments } from '../../adapters/ledger/verify.ts'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { readRecords, receiptOf } from '../helpers/records.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'
import type { Got } from '../helpers/shapes.ts'

// The gateway is a process of its own that is told to end under load.
t.test('SIGTERM under load loses no receipt', async (t) => {
  const gateway = await startChild(t, {
    async serve(req, res) {
      req.resume()
      res.write('half ')
      await delay(Math.random() * 200)
      res.end('whole')
    },
  })
  const token = gateway.mint('tools = HTTP_*')
  const answers: Got[] = []
  let running = true
  const client = async (at: number) => {
    while (running) {
      const shape = SHAPES[at % SHAPES.length] ?? 'absolute'
      const got = await askIn(shape, gateway, { token, method: 'POST', body: 'x' }).catch(
        () => undefined,
      )
      if (got === undefined) return
      answers.push(got)
    }
  }
  const clients = Promise.all(Array.from({ length: 25 }, (_, at) => client(at)))
  const isServed = ({ status }: Got) => status === 200
  await eventually(() => answers.filter(isServed).length > 50, 60_000)
  t.equal(await gateway.stop(), 0, 'it ended by itself')
  running = false
  await clients

  const served = answers.filter(isServed)
  t.ok(served.length > 50, `${served.length} calls were answered`)
  t.ok(
    served.every(({ whole, text }) => whole && text === 'half whole'),
    'those that had begun came to their end',
  )
  const missing = answers.filter(
    (got) => receiptOf(gateway.state, got.header('receipt'))?.outcome === undefined,
  )
  t.same(
    missing.map(({ status, text }) => [status, text]),
    [],
    'each has its outcome in the log',
  )
  const records = readRecords(gateway.state)
  const intents = records.filter(({ kind }) => kind === 'intent').length
  t.equal(records.filter(({ kind }) => kind === 'outcome').length, intents, 'no intent is open')
  t.same(
    records.slice(-2).map(({ event }) => event),
    ['gateway_stopped', 'checkpoint_signed'],
    'the stop is recorded, and signed',
  )
  t.equal((await verifySegments(`${gateway.state}/ledger`)).verdict, 'ok')
})

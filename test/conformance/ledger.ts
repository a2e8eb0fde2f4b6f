import type { Test } from 'tap'
import type { Ledger } from '../../adapters/ledger/port.ts'

/** What every driver of the log must do. `open` opens the same log each time; the suite closes it. */
export function testLedger(t: Test, open: () => Promise<Ledger>): void {
  t.test('places are numbered without gaps, in one writer', async (t) => {
    const ledger = await open()
    const intent = await ledger.intent({ id: 'a', tool: 'HTTP_GET' })
    const places = [
      intent,
      await ledger.outcome(intent, { outcome: 'allowed' }),
      await ledger.refusal({ id: 'b', outcome: 'refused' }),
      await ledger.event({ event: 'gateway_started', subject: 's', actor: 'gateway' }),
    ]
    await ledger.close()
    const first = places[0]?.n ?? 0
    t.same(
      places.map(({ n }) => n - first),
      [0, 1, 2, 3],
    )
    t.equal(new Set(places.map(({ writer }) => writer)).size, 1)
  })

  t.test('the head is that of the last durable record', async (t) => {
    const ledger = await open()
    const before = ledger.head()
    const place = await ledger.refusal({ id: 'c' })
    const head = ledger.head()
    await ledger.close()
    t.equal(head.n, place.n)
    t.equal(head.writer, place.writer)
    t.match(head.hash, /^[0-9a-f]{64}$/)
    t.not(head.hash, before.hash)
  })

  t.test('a log that is opened again goes on where it ended', async (t) => {
    const first = await open()
    const place = await first.refusal({ id: 'd' })
    await first.close()
    const second = await open()
    const next = await second.refusal({ id: 'e' })
    await second.close()
    t.same(next, { writer: place.writer, n: place.n + 1 })
  })

  t.test('fifty callers at once get fifty places', async (t) => {
    const ledger = await open()
    const callers = Array.from({ length: 50 }, async (_, at) => {
      const intent = await ledger.intent({ id: `p-${at}` })
      return [intent.n, (await ledger.outcome(intent, { outcome: 'allowed' })).n]
    })
    const numbers = (await Promise.all(callers)).flat()
    await ledger.close()
    t.equal(new Set(numbers).size, 100)
    t.equal(Math.max(...numbers) - Math.min(...numbers), 99)
  })

  t.test('a record that names a member of the log’s own is a mistake', async (t) => {
    const ledger = await open()
    await t.rejects(ledger.refusal({ n: 7 }), /member `n` is the log's own/)
    await t.rejects(ledger.event({ kind: 'intent' }), /member `kind` is the log's own/)
    await ledger.close()
  })

  t.test('an outcome of another writer’s intent is a mistake', async (t) => {
    const ledger = await open()
    await t.rejects(ledger.outcome({ writer: 'w_other', n: 1 }, {}), /of the writer `w_other`/)
    await ledger.close()
  })

  t.test('a closed log takes nothing and is not ready', async (t) => {
    const ledger = await open()
    await ledger.close()
    await t.rejects(ledger.refusal({ id: 'f' }), { code: 'ledger_unavailable' })
    t.equal(ledger.ready().ok, false)
  })
}

import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openCollector, type Collector } from '../adapters/exports/rig.ts'
import { startAt, type ChildGateway } from '../helpers/child.ts'
import { eventually, prepare } from '../helpers/gateway.ts'
import { feedOf } from '../helpers/schemas.ts'
import { askIn } from '../helpers/shapes.ts'

/** The ids of all events that a webhook has posted, in order. */
export function webhookIds({ taken }: Collector): readonly string[] {
  return taken.flatMap(({ body }) =>
    (JSON.parse(body.toString()) as { readonly id: string }[]).map(({ id }) => id),
  )
}

/** Kills the gateway in mid-delivery, again and again: the collector must come to have what the ledger has. */
export function killInDelivery(rounds: number): void {
  const name = `killed in mid-delivery and started again, ${rounds} times`
  t.test(name, { timeout: (rounds + 1) * 100_000 }, async (t) => {
    const collector = await openCollector(t)
    const exports = [{ name: 'hook', type: 'webhook', url: collector.url, batch: 5 }]
    const config = { log: { level: 'info' }, ledger: { exports } }
    const place = await prepare(t, { config })
    collector.be({ kind: 'slow', ms: 30 })
    for (let round = 1; round <= rounds; round += 1) await killOnce(t, place, collector)
    collector.be({ kind: 'good' })
    const { state, ownerPort, stop } = await startAt(t, place)
    const owned = { state, gateway: { addresses: { owner: `127.0.0.1:${ownerPort}` } } }
    const ledger = async () => (await feedOf(owned)).map(({ id }) => id)
    const complete = async () => new Set(webhookIds(collector)).size === (await ledger()).length
    t.ok(await eventually(complete, 30_000), 'it catches up')
    const ids = await ledger()
    t.ok(ids.length > 5, `${ids.length} items`)
    t.same([...new Set(webhookIds(collector))].toSorted(), ids.toSorted())
    const bodies = new Map<unknown, string>()
    for (const { headers, body } of collector.taken) {
      const id = headers['webhook-id']
      t.equal(bodies.get(id) ?? body.toString(), body.toString(), 'one name, one batch')
      bodies.set(id, body.toString())
    }
    const each = [...bodies.values()].flatMap((body) => JSON.parse(body) as object[])
    t.equal(each.length, ids.length, 'whoever goes by the name of the batch has each once')
    t.equal(await stop(), 0)
  })
}

async function killOnce(t: Test, place: Awaited<ReturnType<typeof prepare>>, collector: Collector) {
  const gateway = await startAt(t, place)
  let over = false
  const before = collector.taken.length
  const loading = load(gateway, () => over)
  await eventually(() => collector.taken.length > before + 1)
  await delay(Math.random() * 60)
  const killed = once(gateway.process, 'exit')
  gateway.process.kill('SIGKILL')
  await killed
  over = true
  await loading
}

/** Makes calls until it is killed; those that come to nothing then are no matter. */
async function load({ proxyPort, caPem, mint }: ChildGateway, over: () => boolean): Promise<void> {
  const token = mint('tools = HTTP_*')
  const client = async () => {
    while (!over()) await askIn('mount', { proxyPort, caPem }, { token }).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: 4 }, client))
}

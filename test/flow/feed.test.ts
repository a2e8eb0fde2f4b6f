import { readFileSync } from 'node:fs'
import { statePaths } from '../../gateway/state/paths.ts'
import { eventually, flow, portOf, type TestGateway } from '../helpers/gateway.ts'
import { feedOf } from '../helpers/schemas.ts'
import { SHAPES } from '../helpers/shapes.ts'

function keyOf({ state }: TestGateway): Record<string, string> {
  return { 'x-narrowgate-key': readFileSync(statePaths(state).ownerKey, 'utf8').trim() }
}

flow('the feed holds every exchange and event once', {}, async (t, gateway) => {
  const good = gateway.mint('tools = HTTP_*')
  const bad = gateway.mint('tools = OTHER')
  for (const shape of SHAPES)
    for (const token of [good, bad, `${good}x`])
      await gateway.ask(shape, { token }).catch(() => undefined)
  const ids = async () => (await gateway.receipts()).map(({ id }) => String(id)).sort()
  const closed = async () => {
    const { length } = gateway.records().filter(({ kind }) => !/segment|outcome/.test(kind))
    return (await feedOf(gateway)).length === length
  }
  t.ok(await eventually(closed), 'nothing is left open')
  const all = await feedOf(gateway)
  t.same(
    all.map(({ position }) => position),
    all.map((_, at) => at + 1),
  )
  t.equal(new Set(all.map(({ id }) => id)).size, all.length)
  const receipts = all.filter(({ kind }) => kind === 'receipt')
  t.same(receipts.map(({ record }) => String(record['id'])).sort(), await ids())
  t.ok(receipts.every(({ record }) => 'outcome' in record && 'closed' in record))
  t.match(all[0], { kind: 'event', record: { event: 'gateway_started', at: /^\d{4}-.*Z$/ } })
  const pieces = []
  for (let after = 0; after < all.length; after += 4)
    pieces.push(...(await feedOf(gateway, `?after=${after}&limit=4`)))
  t.same(pieces, all, 'in pieces it is the same')
})

flow('who follows sees each call as it ends, as an event stream', {}, async (t, gateway) => {
  const port = portOf(gateway.gateway.addresses.owner)
  const token = gateway.mint('tools = HTTP_*')
  const headers = { ...keyOf(gateway), accept: 'text/event-stream' }
  const response = await fetch(`http://127.0.0.1:${port}/api/ledger/feed`, { headers })
  const { header } = await gateway.ask('absolute', { token })
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.includes(String(header('receipt')))) break
  }
  const events = text.split('\n\n').filter((event) => event.startsWith('id: '))
  t.same(
    events.map((event) => Number(/^id: (\d+)\n/.exec(event)?.[1])),
    events.map((_, at) => at + 1),
  )
})

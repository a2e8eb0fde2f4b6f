import { once } from 'node:events'
import t from 'tap'
import { askOwner } from '../helpers/owner.ts'
import { startCluster } from '../helpers/postgres.ts'
import { askIn, openIn } from '../helpers/shapes.ts'
import { startShared } from '../helpers/shared.ts'

// A leash that is put on at one gateway holds at the others: within a second, as the product promises.

const WITHIN_MS = 1000
const LINE = 'tools = HTTP_GET'

const cluster = await startCluster(t)
if (cluster !== undefined)
  // About ten seconds: two processes, and a database.
  await t.test('two gateways over one database', async (t) => {
    const { gateways, mint } = await startShared(t, await cluster.createDatabase(), [
      {},
      {
        serve: (req, res) => {
          if (req.url === '/short') return void res.end('ok')
          res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n')
        },
      },
    ])
    const [first, second] = gateways
    if (!first || !second) throw new Error('two gateways were started')
    const { id, token } = mint('tools = HTTP_*')
    const ask = () => askIn('absolute', second, { token, method: 'DELETE', path: '/short' })
    t.equal((await ask()).status, 200)
    const live = await openIn('absolute', second, { token, method: 'DELETE', path: '/events' })
    await once(live.body, 'readable')
    const broken = new Promise((resolve) => live.body.once('error', resolve))
    live.body.resume()

    const began = performance.now()
    const owned = {
      state: first.state,
      gateway: { addresses: { owner: `127.0.0.1:${first.ownerPort}` } },
    }
    const path = `/api/grants/${id}/leash`
    const { status } = await askOwner(owned, 'POST', path, { lines: [LINE] })
    t.equal(status, 200)
    await broken
    const streamMs = Math.round(performance.now() - began)
    t.comment(`an event stream ended ${streamMs} ms after the leash at another gateway`)
    t.ok(streamMs < WITHIN_MS, `${streamMs} ms`)
    t.match(JSON.parse((await ask()).text), {
      code: 'tool_not_granted',
      reasons: [{ caveat: LINE, leash: true }],
    })
  })

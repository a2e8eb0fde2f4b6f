import { Agent, request } from 'node:http'
import { flow } from '../helpers/gateway.ts'
import { forge } from '../helpers/forge.ts'
import { metricOf } from '../helpers/records.ts'
import { basic, HOST } from '../helpers/shapes.ts'

const FORGED = 2000

flow('a flood of forged tokens costs the log little', {}, async (t, gateway) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  t.teardown(() => agent.destroy())
  const ask = (at: number) =>
    new Promise<string>((resolve, reject) => {
      const token = forge('x'.repeat(43), `flood-${at}`, ['tools = *'])
      const headers = { host: HOST, 'proxy-authorization': basic(`agent:${token}`) }
      const place = { host: '127.0.0.1', port: gateway.proxyPort, path: `http://${HOST}/`, agent }
      request({ ...place, headers }, (res) => {
        res
          .resume()
          .once('end', () => resolve(`${res.statusCode} ${String(res.headers['refused'])}`))
      })
        .once('error', reject)
        .end()
    })
  const began = Date.now()
  const answers = await Promise.all(Array.from({ length: FORGED }, (_, at) => ask(at)))
  const seconds = Math.ceil((Date.now() - began) / 1000) + 1
  t.same(new Set(answers), new Set(['407 token_forged']), 'each was told why')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const refusals = gateway.records().filter(({ kind }) => kind === 'refusal')
  const single = refusals.filter(({ aggregated }) => aggregated === undefined)
  const aggregated = refusals.flatMap((record) => record.aggregated?.total ?? [])
  t.ok(single.length <= 50 * seconds, `${single.length} of their own in ${seconds} seconds`)
  t.ok(aggregated.length <= seconds + 1, `${aggregated.length} for all others`)
  t.equal(single.length + aggregated.reduce((sum, total) => sum + total, 0), FORGED)
  t.equal(metricOf(await gateway.metrics(), 'narrowgate_requests_accepted_total'), FORGED)
  t.notMatch(JSON.stringify(refusals), 'flood-', 'nothing is taken from their payloads')
  t.equal(gateway.upstreams.arrived.length, 0)
})

import { connect as tlsConnect, createSecureContext } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { assertAccounts, metricOf } from '../helpers/records.ts'
import { openTunnel } from '../helpers/shapes.ts'

// Two thousand names at a time, each with a tunnel, a certificate of its own and a call.

const NAMES = 2_000

function lagOf(metrics: string, quantile: 'p50' | 'p99'): number {
  return metricOf(metrics, `narrowgate_nodejs_eventloop_lag_${quantile}_seconds`) * 1000
}

t.test('two thousand tunnels to as many names at a time', async (t) => {
  // No name is looked up before the decision, which lets none of these pass.
  const gateway = await startChild(t, {})
  const token = gateway.mint('tools = NOTHING')
  const secureContext = createSecureContext({ ca: gateway.caPem })
  const sockets: TLSSocket[] = []
  const call = async (at: number): Promise<string> => {
    const host = `name-${at}.test`
    const tunnel = await openTunnel(gateway, token, `${host}:443`)
    const tls = tlsConnect({ socket: tunnel, servername: host, secureContext })
    sockets.push(tls)
    tls.on('error', () => {})
    await new Promise<void>((resolve, reject) => {
      tls.once('secureConnect', resolve).once('close', () => reject(new Error('closed')))
    })
    tls.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    return new Promise((resolve) => {
      tls.once('data', (bytes: Buffer) => resolve(bytes.toString('latin1').slice(0, 12)))
      tls.once('close', () => resolve('closed'))
    })
  }
  await gateway.metrics()
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: NAMES }, (_, at) => call(at)))
  const seconds = (performance.now() - began) / 1000
  const metrics = await gateway.metrics()
  t.same(new Set(answers), new Set(['HTTP/1.1 403']), 'each has its tunnel, and is told no')
  t.equal(metricOf(metrics, 'narrowgate_tunnels_open'), NAMES)
  t.equal(metricOf(metrics, 'narrowgate_sheds_total'), 0)
  const [p50, p99] = [lagOf(metrics, 'p50'), lagOf(metrics, 'p99')]
  t.comment(
    `${NAMES} names in ${seconds.toFixed(1)} s; event-loop delay p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  )
  t.ok(p99 > 0, 'the delay of the event loop is a metric')
  for (const socket of sockets) socket.destroy()
  await assertAccounts(t, gateway.state, gateway.metrics)
  t.equal(metricOf(await gateway.metrics(), 'narrowgate_tunnels_open'), 0)
})

import { connect as http2Connect } from 'node:http2'
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2'
import { connect } from 'node:net'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { assertAccounts, metricOf } from '../helpers/records.ts'
import { askIn, HOST, openTls, SHAPES } from '../helpers/shapes.ts'

// Enough to read the sources at the start, once they are compiled.
const DESCRIPTORS = 256
const IDLE = 300
const STREAMS = 250

/** The status of one stream, or why there is none. */
function statusOf(session: ClientHttp2Session): Promise<number | string> {
  const stream = session.request({ ':path': '/slow', ':authority': HOST })
  stream.resume()
  return new Promise((resolve) => {
    stream.once('response', (head: IncomingHttpHeaders) => resolve(Number(head[':status'])))
    stream.once('error', (error: Error) => resolve(error.message))
    stream.once('close', () => resolve('closed'))
  })
}

// The sources are compiled, and kept so, where there is no want of descriptors: all are opened at one time.
t.test('a gateway with descriptors enough starts', async (t) => {
  const gateway = await startChild(t, {})
  t.equal(await gateway.stop(), 0)
})

for (const engine of ['fast', 'general'])
  t.test(`${engine}: a gateway that runs out of descriptors goes on`, async (t) => {
    const waiting: (() => void)[] = []
    const gateway = await startChild(
      t,
      {
        config: { engine },
        serve(req, res) {
          if (req.url === '/slow') waiting.push(() => res.end('ok'))
          else res.end('ok')
        },
      },
      { wrap: (argv) => ['sh', '-c', `ulimit -n ${DESCRIPTORS} && exec "$@"`, 'sh', ...argv] },
    )
    const token = gateway.mint('tools = HTTP_*')
    const works = async () => {
      const got = await askIn('tunnel-h1', gateway, { token }).catch(() => undefined)
      return got?.status === 200
    }
    const shed = async () =>
      metricOf(await gateway.metrics(), 'narrowgate_sheds_total', 'what="connection"')
    t.ok(await works(), 'before')
    t.match(gateway.printed(), /for want of file descriptors/, 'it is said at the start')

    const idle = Array.from({ length: IDLE }, () => connect(gateway.proxyPort, '127.0.0.1'))
    let turnedAway = 0
    for (const socket of idle) socket.on('error', () => {}).on('close', () => (turnedAway += 1))
    t.ok(await eventually(() => turnedAway > IDLE / 2), 'most of these connections are closed')
    t.ok(await eventually(async () => (await shed()) === turnedAway), 'and counted, each of them')
    const calls = SHAPES.map((shape) =>
      askIn(shape, gateway, { token }).then(
        () => 'answered',
        () => 'turned away',
      ),
    )
    t.same(new Set(await Promise.all(calls)), new Set(['turned away']))
    for (const socket of idle) socket.destroy()
    t.ok(await eventually(works), 'afterwards, by itself')

    // On one connection there are more calls than descriptors for their upstreams.
    const tls = await openTls(gateway, { token }, 'h2')
    const session = http2Connect(`https://${HOST}`, { createConnection: () => tls })
    t.teardown(() => session.destroy())
    const streams = Array.from({ length: STREAMS }, () => statusOf(session))
    // None is answered before there is one too many.
    t.ok(
      await Promise.race([...streams, eventually(() => false, 30_000)]),
      'one is told at once that there is no descriptor left for it',
    )
    t.ok(waiting.length > 0, 'others have found an upstream')
    const over = Promise.all(streams)
    const timer = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 50)
    const answers = new Set(await over)
    clearInterval(timer)
    t.same(
      [...answers].toSorted((a, b) => Number(a) - Number(b)),
      [200, 502],
      'the others are told',
    )
    session.destroy()
    t.ok(await eventually(works), 'afterwards, by itself')
    t.equal(gateway.process.exitCode, null)
    await assertAccounts(t, gateway.state, gateway.metrics)
  })

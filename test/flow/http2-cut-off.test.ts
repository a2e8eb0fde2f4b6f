import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { frameServer, half, ok, reset } from '../adapters/upstream/helpers/http2-frames.ts'
import { eventually, flowIn } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'

const NO_ERROR = 0x0

t.test('a stream that is reset before its end never looks whole', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-cut-off-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const server = await frameServer(
    t,
    (socket, stream) => {
      socket.write(Buffer.concat([ok(stream), half(stream)]))
      setTimeout(() => socket.write(reset(stream, NO_ERROR)), 30)
    },
    HOST,
  )
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, server.ca)
  const address = `127.0.0.1:${server.port}`
  const config = { upstreams: [{ name: 'origin', hosts: [HOST], address, ca: [ca] }] }
  await flowIn(t, { config }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of ['tunnel-h1', 'tunnel-h2'] as const) {
      const got = await gateway.ask(shape, { token })
      t.same([got.status, got.text, got.whole], [200, 'half', false], shape)
      const receipt = () => gateway.receipt(got.header('receipt'))
      await eventually(() => receipt()?.outcome !== undefined)
      t.match(receipt(), {
        outcome: 'failed',
        ran: true,
        code: 'upstream_failed',
        response: { truncated: true },
      })
    }
  })
})

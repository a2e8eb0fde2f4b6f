import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createHolder } from '../../gateway/holder.ts'

const NAMES = {
  session: 'narrowgate-session',
  want: 'want',
  receipt: 'receipt',
  refused: 'refused',
  projected: 'projected',
  head: 'ledger-head',
  cursor: 'next-cursor',
}

async function open(t: Test, missing: readonly string[]): Promise<number> {
  const server = createServer(
    createHolder({
      notReady: () => missing,
      receipts: async () => ({
        headers: ['content-type', 'application/json'],
        body: Buffer.from('{}'),
      }),
      names: () => NAMES,
      headField: () => ['ledger-head', 'ab'.repeat(32)],
    }),
  )
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function ask(port: number, path: string, method = 'GET') {
  // A probe names the host as it likes.
  const asked = request({ port, path, method, agent: false, headers: { host: 'pod-7.example' } })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const text = (await answer.toArray()).join('')
  return { status: answer.statusCode, refused: answer.headers['refused'], text }
}

t.test('health and readiness need no key and no name', async (t) => {
  const port = await open(t, [])
  t.match(await ask(port, '/healthz'), { status: 200, text: '{"ok":true}\n' })
  t.match(await ask(port, '/readyz?verbose'), { status: 200, text: '{"ready":true}\n' })
  t.match(await ask(port, '/healthz', 'HEAD'), { status: 200, text: '' })
})

t.test('what is not ready is named', async (t) => {
  const port = await open(t, ['cedar', 'ledger'])
  t.match(await ask(port, '/healthz'), { status: 200 })
  const { status, refused, text } = await ask(port, '/readyz')
  t.same([status, refused], [503, 'not_ready'])
  t.match(JSON.parse(text), { code: 'not_ready', reasons: [{ got: 'cedar, ledger' }] })
})

t.test('nothing else is served', async (t) => {
  const port = await open(t, [])
  t.match(await ask(port, '/api/status'), { status: 404, refused: 'not_found' })
  t.match(await ask(port, '/g/g1.token/run'), { status: 404, refused: 'not_found' })
  t.match(await ask(port, '/healthz', 'POST'), { status: 405, refused: 'method_not_allowed' })
})

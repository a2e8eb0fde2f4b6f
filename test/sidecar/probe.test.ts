import { createServer } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'
import t from 'tap'
import { probe, splitAddress } from '../../sidecar/probe.ts'

t.test('addresses of listeners as they are reached', async (t) => {
  t.strictSame(splitAddress('127.0.0.1:3128'), { host: '127.0.0.1', port: 3128 })
  t.strictSame(splitAddress('[::1]:3128'), { host: '::1', port: 3128 })
  t.strictSame(splitAddress('0.0.0.0:3128'), { host: '127.0.0.1', port: 3128 })
  t.strictSame(splitAddress('[::]:3128'), { host: '::1', port: 3128 })
  t.strictSame(splitAddress(':3128'), { host: '127.0.0.1', port: 3128 })
  for (const text of ['', 'host', 'host:', 'unix:/run/x'])
    t.equal(splitAddress(text), undefined, text)
})

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('the status, or nothing where nothing answers in time', async (t) => {
  const good = createServer((request, response) => {
    response.writeHead(request.headers.authorization === 'Bearer k' ? 200 : 401).end()
  })
  const mute = createSocketServer(() => undefined)
  t.teardown(() => [good, mute].map((server) => server.close()))
  const address = await listening(good)
  t.equal(await probe(address, '/'), 401)
  t.equal(await probe(address, '/', { authorization: 'Bearer k' }), 200)
  t.equal(await probe(await listening(mute), '/'), undefined, 'it never answers')
  t.equal(await probe('127.0.0.1:1', '/'), undefined, 'nobody listens')
})

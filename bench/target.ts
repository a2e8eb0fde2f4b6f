import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The plain upstream of every contestant: one fixed JSON answer of about 1 KB. */
const ITEM = {
  number: 4711,
  title: 'the answer that every contestant has to bring back',
  user: { login: 'octo', id: 583_231, site_admin: false },
  labels: Array.from({ length: 9 }, (_, index) => ({
    id: index,
    name: `label-${index}`,
    color: 'ededed',
  })),
  body: 'x'.repeat(380),
}
const ANSWER = Buffer.from(JSON.stringify(ITEM))

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length })
  response.end(ANSWER)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.once('disconnect', () => process.exit(0))

import t from 'tap'
import { createServer } from 'node:http'
import { createNetwork, networkUnavailable } from './netns.ts'
import type { Place } from './netns.ts'
import { run, startServer } from './processes.ts'

const SERVER = `
const server = require('node:http').createServer((_, response) => response.end('reached'))
server.listen(80, process.argv[1], () => console.log('{"msg":"listening"}'))
`

const why = networkUnavailable()
const env = { PATH: process.env['PATH'] ?? '' }

void t.test('only the gateway reaches the upstream', { skip: why ?? false }, async (t) => {
  const network = createNetwork()
  t.teardown(() => network.remove())
  const argv = [process.execPath, '-e', SERVER, network.upstreamHost]
  await startServer(network.inside('upstream', argv), { env })
  const reach = async (place: Place): Promise<string> => {
    const url = `http://${network.upstreamHost}/`
    const curl = ['curl', '-sS', '--max-time', '2', url]
    return (await run(network.inside(place, curl), { env })).output
  }
  t.equal(await reach('gateway'), 'reached', 'the gateway does')
  t.match(await reach('client'), 'Failed to connect', 'the client does not')
})

void t.test('nothing of the machine is in the network', { skip: why ?? false }, async (t) => {
  const network = createNetwork()
  t.teardown(() => network.remove())
  const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const curl = ['curl', '-sS', '--max-time', '2', `http://127.0.0.1:${port}/`]
  t.match((await run(network.inside('client', curl), { env })).output, 'Failed to connect')
})

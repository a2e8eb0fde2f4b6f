import { connect } from 'node:net'
import { eventually, flow } from '../helpers/gateway.ts'

const ROWS = [
  {
    name: 'SEND',
    method: 'POST',
    path: '/send',
    args: { properties: { to: { in: 'body', type: 'string' } } },
  },
]

flow(
  'a client that goes while its body is read is gone, not a fault',
  { rows: ROWS },
  async (t, gateway) => {
    const token = gateway.mint('tools = SEND', 'arg SEND.to = a')
    const basic = Buffer.from(`agent:${token}`).toString('base64')
    const socket = connect(gateway.proxyPort, '127.0.0.1')
    socket.write(
      [
        'POST http://api.test/send HTTP/1.1',
        'Host: api.test',
        'Content-Type: application/json',
        'Content-Length: 100',
        `Proxy-Authorization: Basic ${basic}`,
        '',
        '{"to":',
      ].join('\r\n'),
    )
    setTimeout(() => socket.destroy(), 100)
    await eventually(() => gateway.records().some(({ outcome }) => outcome === 'gone'))
    const [receipt] = gateway.records().filter(({ outcome }) => outcome === 'gone')
    t.match(receipt, { outcome: 'gone', ran: false })
    t.equal(receipt?.code, undefined, 'which is no refusal')
    t.same(gateway.upstreams.arrived, [], 'the upstream saw nothing')
  },
)

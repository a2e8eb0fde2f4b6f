import { SHAPES } from '../helpers/shapes.ts'
import { wire } from './suite.ts'

// Programs phone home. Where nobody listed the host that is refused before anything is read, resolved or dialled.

const config = { unknown_hosts: 'refuse' }

wire(
  'telemetry to an unknown host is refused and marked',
  async (t, { gateway, token, recorder }) => {
    for (const shape of SHAPES.filter((each) => each !== 'mount'))
      for (const [host, noise] of [
        ['packages.httpie.io', true],
        ['update.googleapis.com', true],
        ['unknown.test', undefined],
        ['update.googleapis.com.unknown.test', undefined],
      ] as const) {
        const got = await gateway.ask(shape, { token, host })
        const receipt = gateway.receipt(got.header('receipt'))
        const found = { status: got.status, code: got.header('refused'), noise: receipt?.['noise'] }
        t.same(found, { status: 403, code: 'host_unknown', noise }, `${shape}: ${host}`)
        t.match(receipt, { outcome: 'refused', ran: false, address: undefined })
      }
    t.same(recorder.connections, [])
  },
  { config },
)

import { createServer } from 'node:net'
import { narrowToken } from '../../policy/index.ts'
import { flow, type Setup } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

const CALLS = 200

/** What must hold of uses on whatever store the configuration names. */
export async function testUses(config: NonNullable<Setup['config']>): Promise<void> {
  const dead = await deadPort()

  await flow(
    'two hundred calls at once, through every door, against five uses',
    { config },
    async (t, gateway) => {
      const root = gateway.mint('tools = HTTP_*', 'uses <= 5')
      const children = [
        root,
        narrowToken(root, ['ways = proxy,mount']),
        narrowToken(root, ['uses <= 100', 'arg HTTP_GET.host = api.test']),
        narrowToken(root, ['expires < 2099-01-01T00:00:00Z']),
      ]
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, at) =>
          gateway.ask(SHAPES[at % SHAPES.length] ?? 'absolute', {
            token: children[at % children.length],
          }),
        ),
      )
      const count = (status: number) => answers.filter((got) => got.status === status).length
      t.equal(gateway.upstreams.arrived.length, 5, 'exactly five reached the upstream')
      t.same([count(200), count(429)], [5, CALLS - 5])
      t.ok(
        answers.every(({ status, header }) => status === 200 || header('refused') === 'uses_spent'),
      )
    },
  )

  await flow('a refused call takes nothing', { config }, async (t, gateway) => {
    for (const shape of SHAPES) {
      const token = gateway.mint('tools = HTTP_GET', 'uses <= 1')
      for (let tries = 0; tries < 3; tries++)
        t.equal((await gateway.ask(shape, { token, method: 'POST' })).status, 403, shape)
      t.equal((await gateway.ask(shape, { token, headers: { want: '{"oops":1}' } })).status, 400)
      t.equal((await gateway.ask(shape, { token })).status, 200, 'the one use was still there')
      t.equal((await gateway.ask(shape, { token })).status, 429)
    }
  })

  await flow('a child’s limit binds the child alone', { config }, async (t, gateway) => {
    const root = gateway.mint('tools = HTTP_*', 'uses <= 3')
    const child = narrowToken(root, ['uses <= 1'])
    const statuses: number[] = []
    for (const token of [child, child, root, root, root])
      statuses.push((await gateway.ask('absolute', { token })).status)
    t.same(statuses, [200, 429, 200, 200, 429])
  })

  await flow(
    'a call that was never sent gives its use back',
    {
      config: {
        ...config,
        upstreams: [{ name: 'dead', hosts: ['api.test'], address: `127.0.0.1:${dead}` }],
      },
    },
    async (t, gateway) => {
      for (const shape of SHAPES) {
        const token = gateway.mint('tools = HTTP_*', 'uses <= 1')
        for (let tries = 0; tries < 3; tries++) {
          const got = await gateway.ask(shape, { token, method: 'POST', body: 'x' })
          t.same([got.status, got.header('refused')], [502, 'upstream_failed'], shape)
          t.match(gateway.receipt(got.header('receipt')), { outcome: 'failed', ran: false })
        }
      }
    },
  )

  await flow(
    'a call of unknown fate stays spent',
    { config, serve: (req) => void req.socket.destroy() },
    async (t, gateway) => {
      for (const shape of SHAPES) {
        const token = gateway.mint('tools = HTTP_*', 'uses <= 1')
        const got = await gateway.ask(shape, { token, method: 'POST', body: 'x' })
        t.equal(got.status, 502, shape)
        t.equal(gateway.receipt(got.header('receipt'))?.ran, 'unknown')
        t.equal((await gateway.ask(shape, { token, method: 'POST' })).status, 429, 'it is spent')
      }
    },
  )
}

/** A port on which nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

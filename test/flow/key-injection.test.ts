import type { IncomingMessage, ServerResponse } from 'node:http'
import { flow, KEY } from '../helpers/gateway.ts'
import { basic, SHAPES } from '../helpers/shapes.ts'

const PLACEHOLDER = '__flow_key__'

/** Says which of the values that it may have got came, and never the value. */
function tell(req: IncomingMessage, res: ServerResponse): void {
  const { authorization = '', 'x-key': key = '', 'x-other': other = '' } = req.headers
  const known: Record<string, string> = {
    [KEY]: 'key',
    [`Bearer ${KEY}`]: 'bearer key',
    [basic(`robot:${KEY}`)]: 'basic key',
    [`v1 ${KEY}!`]: 'key in text',
    '': 'nothing',
  }
  const names = [authorization, key, other].map((value) => known[String(value)] ?? 'something else')
  res.end(names.join(', '))
}

flow(
  'a header is set, whatever the client sent there',
  {
    serve: tell,
    keys: [{ header: 'authorization' }, { header: 'x-key', format: '{}', methods: ['POST'] }],
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const headers = shape === 'mount' ? {} : { authorization: 'Bearer own' }
      const got = await gateway.ask(shape, { token, headers })
      t.equal(got.text, 'bearer key, nothing, nothing', shape)
      const posted = await gateway.ask(shape, {
        token,
        method: 'POST',
        headers: { 'x-key': 'own' },
      })
      t.equal(posted.text, 'bearer key, key, nothing', `${shape}: and a second one for its method`)
      t.equal(gateway.receipt(posted.header('receipt'))?.keys?.toString().split(',').length, 2)
    }
  },
)

flow('Basic credentials', { serve: tell, keys: [{ basic_user: 'robot' }] }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES)
    t.equal((await gateway.ask(shape, { token })).text, 'basic key, nothing, nothing', shape)
})

flow(
  'a placeholder is replaced in headers and inside Basic',
  {
    serve: tell,
    keys: [{ placeholder: PLACEHOLDER, places: ['headers'], paths: ['/in/*'] }],
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const auth: Record<string, string> =
        shape === 'mount' ? {} : { authorization: basic(`robot:${PLACEHOLDER}`) }
      const headers = { ...auth, 'x-key': PLACEHOLDER, 'x-other': `v1 ${PLACEHOLDER}!` }
      const got = await gateway.ask(shape, { token, path: '/in/a', headers })
      t.equal(got.text, `${shape === 'mount' ? 'nothing' : 'basic key'}, key, key in text`, shape)
      const before = gateway.upstreams.arrived.length
      const refusedFor = async (path: string, sent: Record<string, string>) => {
        const { status, header } = await gateway.ask(shape, { token, path, headers: sent })
        return [status, header('refused')]
      }
      const expected = [403, 'placeholder_not_for_host']
      t.same(
        await refusedFor('/out/a', { 'x-key': PLACEHOLDER }),
        expected,
        `${shape}: another path`,
      )
      t.same(await refusedFor(`/in/${PLACEHOLDER}`, {}), expected, `${shape}: in the path`)
      t.equal(gateway.upstreams.arrived.length, before, 'nothing of it arrived')
    }
  },
)

flow(
  'a placeholder for another host',
  { keys: [{ placeholder: PLACEHOLDER }] },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES.filter((each) => each !== 'mount')) {
      for (const headers of [
        { 'x-key': PLACEHOLDER },
        { authorization: basic(`robot:${PLACEHOLDER}`) },
      ]) {
        const got = await gateway.ask(shape, { token, host: 'other.test', headers })
        t.same([got.status, got.header('refused')], [403, 'placeholder_not_for_host'], shape)
        t.equal(gateway.receipt(got.header('receipt'))?.ran, false)
      }
    }
  },
)

flow(
  'a redirect is passed on, never followed with a key',
  {
    keys: [{ header: 'x-key' }],
    serve: (_req, res) =>
      void res.writeHead(307, { location: 'http://evil.invalid/next' }).end('go'),
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const before = gateway.upstreams.arrived.length
      const got = await gateway.ask(shape, { token })
      t.same([got.status, got.header('location')], [307, 'http://evil.invalid/next'], shape)
      t.equal(gateway.upstreams.arrived.length - before, 1, 'one call')
    }
  },
)

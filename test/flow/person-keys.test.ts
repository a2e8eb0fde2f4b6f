import { flow, KEY } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

flow(
  'whose key goes upstream is the token’s first line to say',
  {
    keys: [{ header: 'x-key', person: 'alice' }],
    serve: (req, res) => void res.end(req.headers['x-key'] === KEY ? 'alice' : 'nobody'),
  },
  async (t, gateway) => {
    for (const shape of SHAPES) {
      const asked = async (...lines: string[]) =>
        (await gateway.ask(shape, { token: gateway.mint(...lines) })).text
      t.equal(await asked('keys = alice', 'tools = HTTP_GET'), 'alice', `${shape}: hers`)
      t.equal(await asked('keys = bob'), 'nobody', `${shape}: somebody else's`)
      t.equal(await asked('tools = HTTP_GET'), 'nobody', `${shape}: nobody's`)
    }
  },
)

import { flow } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

flow(
  'a body that is announced and empty comes to its end',
  { serve: async (req, res) => void res.end(`${(await bodyOf(req)).length} bytes`) },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) {
      const got = await gateway.ask(shape, { token, method: 'POST', body: '' })
      t.equal(got.text, '0 bytes', shape)
    }
  },
)

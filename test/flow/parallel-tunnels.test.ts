import { flow } from '../helpers/gateway.ts'
import { metricOf } from '../helpers/records.ts'
import type { Shape } from '../helpers/shapes.ts'

const TUNNELS = 200

flow(
  'two hundred tunnels at a time, a request in each',
  {
    serve(req, res) {
      // All are answered at once, when the last has come.
      waiting.push(() => res.end(req.url))
      if (waiting.length === TUNNELS) for (const answer of waiting) answer()
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const shapes: readonly Shape[] = ['tunnel-h1', 'tunnel-h2', 'tunnel-clear']
    const calls = Array.from({ length: TUNNELS }, async (_, at) => {
      const got = await gateway.ask(shapes[at % 3] ?? 'tunnel-h1', { token, path: `/${at}` })
      return got.status === 200 && got.text === `/${at}`
    })
    t.equal((await Promise.all(calls)).filter(Boolean).length, TUNNELS, 'each got its own answer')
    t.equal(metricOf(await gateway.metrics(), 'narrowgate_requests_accepted_total'), TUNNELS)
  },
)

const waiting: (() => void)[] = []

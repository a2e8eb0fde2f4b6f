import { CALLS } from './scenes/index.ts'
import { wire } from './suite.ts'

// One form of refusal for every code, every status and every shape; the upstream's own errors have none of it.

for (const { prove } of CALLS) prove()

wire(
  'an error of the upstream’s own',
  async (t, { gateway, token }) => {
    const { status, header, text } = await gateway.ask('absolute', { token })
    t.same([status, header('refused'), text], [403, undefined, 'no'])
  },
  {
    answer: () => ({
      bytes: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno',
      end: true,
    }),
  },
)

import { ROWS } from '../rig/upstreams/api.ts'
import { matrix } from './matrix.ts'

/** undici asks for a tunnel even for http, and speaks clear text in it. */
matrix({
  name: 'node fetch through EnvHttpProxyAgent, clear text in a tunnel',
  needs: [],
  host: 'plain.ng.test',
  call: (box) => box.node('fetch.ts', 'http://plain.ng.test/rows'),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
})

import { ROWS } from '../rig/upstreams/api.ts'
import { matrix } from './matrix.ts'

matrix({
  name: 'curl, clear text in absolute form',
  needs: ['curl'],
  host: 'plain.ng.test',
  call: (box) => box.exec(['curl', '-sS', 'http://plain.ng.test/rows']),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
})

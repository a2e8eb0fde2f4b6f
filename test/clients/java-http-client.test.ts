import { join } from 'node:path'
import { ROWS } from '../rig/upstreams/api.ts'
import { matrix } from './matrix.ts'

const PROGRAM = join(import.meta.dirname, 'programs/ModernFetch.java')

matrix({
  name: 'Java HttpClient',
  needs: ['java', 'javac'],
  host: 'api.ng.test',
  call: (box) => box.exec(['java', PROGRAM, 'https://api.ng.test/rows']),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
})

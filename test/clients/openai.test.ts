import { matrix } from './matrix.ts'
import { checkStream } from './streaming.ts'

matrix({
  name: 'openai SDK, streaming',
  needs: [],
  host: 'openai.ng.test',
  call: (box) => box.node('openai.ts'),
  answered: (t, call) => checkStream(t, call.stdout),
  refusal: /403[^]*tool_not_granted/,
})

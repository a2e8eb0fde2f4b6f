import { matrix } from './matrix.ts'
import { checkStream } from './streaming.ts'

matrix({
  name: '@anthropic-ai/sdk, streaming',
  needs: [],
  host: 'anthropic.ng.test',
  slot: 'x-api-key',
  call: (box) => box.node('anthropic.ts'),
  answered: (t, call) => checkStream(t, call.stdout),
  refusal: /403[^]*tool_not_granted/,
})

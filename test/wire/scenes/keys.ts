import type { Answering } from '../recorder.ts'
import { proofOf } from './scene.ts'
import { JSON_TYPE, says } from './answers.ts'

// An OAuth key whose token endpoint gives no token.

const answer: Answering = ({ first }) => {
  if (!first.includes('/token')) return says('ok')
  const { bytes, end } = says('{"error":"invalid_client"}', JSON_TYPE)
  return { bytes: bytes.replace('200 OK', '401 Unauthorized'), end }
}

const unavailable = proofOf({
  name: 'a call whose key cannot be got',
  options: {
    answer,
    upstream: (name) => ({
      keys: [
        {
          name,
          secret: { env: 'FLOW_KEY' },
          oauth: { token_url: 'https://api.test/token', client_id: 'gateway' },
        },
      ],
    }),
  },
  calls: [{ code: 'key_unavailable' }],
  end({ recorder }, t) {
    const paths = recorder.connections.flatMap(({ requests }) =>
      requests.map(({ first }) => first.split(' ')[1]),
    )
    t.same(new Set(paths), new Set(['/token']), 'nothing but tokens was asked for')
  },
})

export const KEYS = [unavailable]

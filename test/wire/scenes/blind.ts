import { callFirst, revokeFirst } from '../refusal-cases.ts'
import { proofOf } from './scene.ts'

// A tunnel that is not read is one call, and all that is said of it is said on its CONNECT.

const blind = proofOf({
  name: 'a tunnel that is not read',
  options: {
    upstream: () => ({ intercept: false }),
    beside: {
      files: {
        'g.cedar':
          'forbid (principal, action, resource) when { principal has task && principal.task == "T-9" };',
      },
    },
    config: {
      grants: { limits: { calls_per_minute: 1 } },
      guardrails: { files: ['./g.cedar'] },
    },
  },
  connects: [
    { code: 'tool_not_granted', lines: ['tools = HTTP_GET'] },
    { code: 'way_not_granted', lines: ['ways = mount'] },
    { code: 'expired', lines: ['expires < 2020-01-01T00:00:00Z'] },
    { code: 'area_outside', lines: ['area = /src'] },
    { code: 'model_not_granted', lines: ['model = gpt-*'] },
    { code: 'person_mismatch', lines: ['person = alice'] },
    { code: 'arg_refused', lines: ['arg HTTP_CONNECT.host = other.test'] },
    { code: 'uses_spent', lines: ['uses <= 0'] },
    { code: 'guardrail', lines: ['task = T-9'] },
    { code: 'rate_limited', before: callFirst, waits: true },
    { code: 'revoked', before: revokeFirst },
    { code: 'session_invalid', connect: { fields: 'narrowgate-session: ns1.x\r\n' } },
  ],
})

export const BLIND_TUNNELS = [blind]

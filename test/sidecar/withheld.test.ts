import t from 'tap'
import { parseConfig, type Config } from '../../gateway/config/index.ts'
import { withoutSecrets } from '../../sidecar/withheld.ts'

function config(text: string): Config {
  const parsed = parseConfig(text, { base: '/tmp', env: {} })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

t.test('the command does not get the variables that hold the gateway’s keys', async (t) => {
  const text = `
build_keys: [{ env: BUILD }]
owner_key: { env: OWNER }
upstreams:
  - name: a
    hosts: [api.a.test]
    keys: [{ name: a-key, secret: { env: A_TOKEN }, header: authorization, format: "Bearer {}" }]
`
  const own = {
    PATH: '/bin',
    BUILD: 'b',
    OWNER: 'o',
    A_TOKEN: 'secret',
    NARROWGATE_BUILD_KEY: 'k',
    B_TOKEN: 'kept',
  }
  const { env, withheld } = withoutSecrets(own, config(text))
  t.strictSame(env, { PATH: '/bin', B_TOKEN: 'kept' })
  t.strictSame([...withheld].sort(), ['A_TOKEN', 'BUILD', 'NARROWGATE_BUILD_KEY', 'OWNER'])
})

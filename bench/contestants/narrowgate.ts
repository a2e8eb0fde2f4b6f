import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../../gateway/main.ts'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { announce, targetAddress } from './contestant.ts'

/**
 * The gateway with everything on, as a drop-in mount in front of the target. A second argument names another mode of
 * the ledger.
 */
const folder = mkdtempSync(join(tmpdir(), 'narrowgate-bench-'))
const configFile = join(folder, 'narrowgate.yaml')
const [, port] = targetAddress().split(':')
const mode = process.argv[3] ?? 'strict'

writeFileSync(join(folder, 'key'), 'bench-key-0123456789abcdef0123456789', { mode: 0o600 })
writeFileSync(
  configFile,
  `
listen: { proxy: "127.0.0.1:0", owner: "127.0.0.1:0" }
upstreams:
  - name: target
    hosts: ["target.test:${port}"]
    address: "${targetAddress()}"
    keys:
      - { name: target-key, secret: { file: ./key }, header: authorization, format: "Bearer {}" }
mounts:
  - { prefix: /target, to: "http://target.test:${port}", slot: authorization }
ledger: { driver: embedded, mode: ${mode} }
`,
)

const gateway = await startGateway({ configFile, state: join(folder, 'state'), log: 'warn' })
const buildKey = createBuildKey(readFileSync(join(folder, 'state', 'build.key'), 'utf8').trim())
const token = mintToken(buildKey, 'g_bench', [
  'tools = HTTP_*',
  'ways = mount',
  'expires < 2099-01-01T00:00:00Z',
  'task = T-bench',
  'arg HTTP_GET.host = target.test',
])

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
announce({
  address: gateway.addresses.proxy,
  path: '/target/',
  headers: { authorization: `Bearer ${token}`, want: 'number,title,user.login' },
  says: `verify, 5 lines in two engines, key put in, answer redacted and cut to 3 fields, receipt (${mode}, keep upstream)`,
})

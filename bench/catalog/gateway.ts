import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../../gateway/main.ts'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { announce, targetAddress } from '../contestants/contestant.ts'

/** A gateway with one row in its catalog, and the target behind it. */
const folder = mkdtempSync(join(tmpdir(), 'narrowgate-bench-'))
const configFile = join(folder, 'narrowgate.yaml')
const port = targetAddress().split(':').at(-1)

writeFileSync(
  join(folder, 'catalog.yaml'),
  `
tools:
  - name: TARGET_GET
    summary: the answer of the target
    scheme: http
    host: target.test
    port: ${port}
    method: GET
    path: /answers/{id}
    args: { properties: { id: { in: path, type: string, required: true } } }
`,
)
writeFileSync(
  configFile,
  `
listen: { proxy: "127.0.0.1:0", owner: "127.0.0.1:0" }
upstreams:
  - { name: target, hosts: ["target.test:${port}"], address: "${targetAddress()}" }
catalog: ["./catalog.yaml"]
`,
)

const gateway = await startGateway({ configFile, state: join(folder, 'state'), log: 'warn' })
const buildKey = createBuildKey(readFileSync(join(folder, 'state', 'build.key'), 'utf8').trim())
const token = mintToken(buildKey, 'g_bench', ['tools = TARGET_GET', 'task = T-bench'])

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
announce({
  address: gateway.addresses.proxy,
  headers: { authorization: `Bearer ${token}` },
  says: 'a whole gateway, strict, keep upstream',
})

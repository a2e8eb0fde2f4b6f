import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import { flowIn } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'

// The suite for HTTP caches, whose results say what a cache on the way stored, changed or answered by itself.
const SUITE = join(import.meta.dirname, '../../node_modules/http-cache-tests')
const FETCH = createRequire(join(SUITE, 'package.json')).resolve('node-fetch')

/** The suite's own origin server. */
async function openOrigin(t: Test): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-cache-'))
  const child = spawn(process.execPath, [join(SUITE, 'server/server.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      npm_config_protocol: 'http',
      npm_config_port: '0',
      npm_config_pidfile: join(folder, 'pid'),
    },
  })
  t.teardown(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /:(\d+)\/$/.exec(line)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error('the origin ended before it listened')
}

/** Runs the whole suite against the origin at BASE, and prints what came of each test. */
const CLIENT = `
const { runTests, getResults } = await import('${SUITE}/client/runner.mjs')
const { default: suites } = await import('${SUITE}/tests/index.mjs')
const { default: fetch } = await import('${FETCH}')
const asked = (url, { headers = [], ...init } = {}) => {
  const own = process.env.TOKEN === undefined ? [] : [['x-api-key', process.env.TOKEN]]
  return fetch(url, { ...init, headers: [...headers, ...own] })
}
await runTests(suites, asked, false, process.env.BASE, 400)
console.log(JSON.stringify(getResults()))
`

type Results = Readonly<Record<string, unknown>>

async function runSuite(base: string, token?: string): Promise<Results> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CLIENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { BASE: base, ...(token === undefined ? {} : { TOKEN: token }) },
  })
  return JSON.parse(await text(child.stdout)) as Results
}

t.test('a suite for caches sees the same with the gateway and without', async (t) => {
  const port = await openOrigin(t)
  const config = {
    upstreams: [{ name: 'origin', hosts: [`${HOST}:80`], address: `127.0.0.1:${port}` }],
    mounts: [{ host: 'localhost', to: `http://${HOST}`, slot: 'x-api-key' }],
  }
  await flowIn(t, { config }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const [direct, through] = await Promise.all([
      runSuite(`http://localhost:${port}`),
      runSuite(`http://localhost:${gateway.proxyPort}`, token),
    ])
    const ids = Object.keys(direct)
    t.ok(ids.length > 300, `${ids.length} tests ran`)
    t.ok(ids.filter((id) => direct[id] === true).length > 90, 'some of them hold without a cache')
    t.same(
      ids.filter((id) => (direct[id] === true) !== (through[id] === true)),
      [],
      'each test ends alike',
    )
    t.same(Object.keys(through), ids)
  })
})

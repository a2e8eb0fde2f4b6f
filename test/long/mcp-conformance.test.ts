import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { default as t, type Test } from 'tap'
import { flow, type Setup } from '../helpers/gateway.ts'
import { MOUNT } from '../helpers/shapes.ts'
import { openReference } from '../mcp/reference.ts'

// The official suite, against a server of the official SDK by itself, with the gateway in front of it, and against the gateway's
// own door.

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

const reference = openReference()

/** Scenarios for a server that has tools and nothing else. */
const OF_TOOLS = [
  'server-initialize',
  'ping',
  'tools-list',
  // A tool that is not there is a refusal, and that is a result with a text.
  'tools-call-error',
  'tools-call-simple-text',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]

/** What the others want of a server, and this one has not. */
const NOT_OF_OURS = {
  'tools named in lower case, with answers of their own': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-with-progress',
  ],
  'questions to the client': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'logging and completion': ['logging-set-level', 'completion-complete'],
  resources: [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  prompts: [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
}

interface Scenario {
  readonly passed: number
  readonly failed: number
}

async function printed(url: string, ...more: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [SUITE, 'server', '--url', url, ...more])
  const [out] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return out
}

type Scenarios = Readonly<Record<string, Scenario>>

/** Runs the suite against an address; what came of each scenario, by its name. */
async function runSuite(url: string, ...more: readonly string[]): Promise<Scenarios> {
  const lines = (await printed(url, ...more)).matchAll(
    /^\S ([a-z0-9-]+): (\d+) passed, (\d+) failed$/gm,
  )
  return Object.fromEntries(
    [...lines].map(([, name, passed, failed]) => [
      name,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  )
}

/** The whole suite. Some scenarios wait for parts of a second: one that fails is tried again by itself, twice at most. */
async function runAll(url: string): Promise<Scenarios> {
  const found: Record<string, Scenario> = { ...(await runSuite(url, '--suite', 'all')) }
  for (let tries = 0; tries < 2; tries++) {
    for (const [name, { failed }] of Object.entries(found)) {
      if (failed === 0) continue
      const [, passed, failing] =
        /^Passed: (\d+)\/\d+, (\d+) failed/m.exec(await printed(url, '--scenario', name)) ?? []
      found[name] = { passed: Number(passed), failed: Number(failing) }
    }
  }
  return found
}

const sum = (scenarios: Scenarios, what: keyof Scenario) =>
  Object.values(scenarios).reduce((total, scenario) => total + scenario[what], 0)

/** A server on a free port that ends with the test. */
async function listen(
  t: Test,
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<number> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

const serve = (req: IncomingMessage, res: ServerResponse) =>
  void reference.serve(req, res).catch(() => res.destroy())

const SETUP: Setup = { serve }

let direct: Scenarios = {}

t.teardown(() => reference.close())

await t.test('the reference server passes by itself', async (t) => {
  direct = await runAll(`http://127.0.0.1:${await listen(t, serve)}/mcp`)
  t.equal(sum(direct, 'failed'), 0)
  t.ok(sum(direct, 'passed') >= 40, `${sum(direct, 'passed')} checks`)
})

for (const engine of ['fast', 'general']) {
  await flow(
    `the ${engine} gateway in front of it passes as many`,
    { ...SETUP, config: { engine } },
    async (t, gateway) => {
      // The suite has no field for a token, and mounts take none in the path.
      const token = gateway.mint('tools = HTTP_*', 'ways = mount')
      const port = await listen(t, (req, res) => {
        const headers = { ...req.headers, authorization: `Bearer ${token}` }
        const { method = '', url = '' } = req
        const path = url.replace('/mcp', MOUNT)
        const onward = request({ port: gateway.proxyPort, method, path, headers }, (answer) => {
          res.writeHead(answer.statusCode ?? 0, answer.headers).flushHeaders()
          answer.on('error', () => res.destroy()).pipe(res)
        })
        res.once('close', () => onward.destroy())
        req.pipe(onward.on('error', () => res.destroy()))
      })
      const through = await runAll(`http://127.0.0.1:${port}/mcp`)
      t.strictSame(through, direct)
    },
  )

  await flow(
    `the MCP door of the ${engine} gateway passes what is about tools`,
    { ...SETUP, rows: [{ name: 'ITEMS', method: 'GET', path: '/items' }], config: { engine } },
    async (t, gateway) => {
      const url = `http://127.0.0.1:${gateway.proxyPort}/g/${gateway.mint('tools = *')}/mcp`
      const scenarios = await runSuite(url)
      const passing = Object.keys(scenarios).filter((name) => scenarios[name]?.failed === 0)
      t.same(passing.toSorted(), OF_TOOLS.toSorted())
      t.same(
        Object.keys(scenarios).toSorted(),
        [...OF_TOOLS, ...Object.values(NOT_OF_OURS).flat()].toSorted(),
        'no scenario is left out of both lists',
      )
    },
  )
}

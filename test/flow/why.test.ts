import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../gateway/owner/openapi/document.ts'
import { statePaths } from '../../gateway/state/paths.ts'
import { createBuildKey, mintToken, unsafeReadToken } from '../../policy/index.ts'
import { run } from '../cli/in-process.ts'
import { flow, portOf, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'

// What is said of a call by the owner's door and by the command line, beside what becomes of it.

const SETUP: Setup = {
  upstream: { bears: { area: false } },
  rows: [
    {
      name: 'ITEM',
      method: 'GET',
      path: '/items/{id}',
      args: { properties: { id: { in: 'path', type: 'integer' } } },
    },
    { name: 'CHAT', method: 'POST', path: '/chat', model: 'model' },
  ],
  files: {
    'g.cedar': 'forbid (principal, action, resource) when { resource.method == "DELETE" };',
  },
  config: { guardrails: { files: ['./g.cedar'] } },
}

interface Call {
  readonly lines: readonly string[]
  readonly method?: string
  readonly path?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const json = { 'content-type': 'application/json' }
const chat = (model: string) => ({
  method: 'POST',
  path: '/chat',
  headers: json,
  body: JSON.stringify({ model }),
})

const CALLS: readonly Call[] = [
  { lines: ['tools = HTTP_GET'] },
  { lines: ['tools = HTTP_POST', 'ways = mcp'] },
  { lines: ['tools = *'], method: 'DELETE' },
  { lines: ['tools = HTTP_*'], path: '/items/5' },
  { lines: ['arg ITEM.id <= 10'], path: '/items/5' },
  { lines: ['arg ITEM.id <= 10'], path: '/items/50' },
  { lines: ['model = small'], ...chat('small') },
  { lines: ['model = small', 'tools = CHAT'], ...chat('big') },
  { lines: ['model = small', 'ways = mcp'], ...chat('small') },
  { lines: ['model = small'], ...chat('small'), body: 'no JSON' },
  { lines: ['uses <= 0', 'tools = *'] },
  { lines: ['person = alice'] },
  { lines: ['tools = *'], headers: { want: '{"nope":1}' } },
  { lines: ['expires < 2020-01-01T00:00:00Z', 'area = /src'] },
]

/** Clocks go on between two questions. */
const untimed = (text: string) => text.replaceAll(/2\d{3}-[\d-]{5}T[\d:]{8}\.\d{3}Z/g, 'now')

async function askDoor(gateway: TestGateway, body: object) {
  const key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim()
  const answer = await fetch(
    `http://127.0.0.1:${portOf(gateway.gateway.addresses.owner)}/api/why`,
    {
      method: 'POST',
      headers: { 'x-narrowgate-key': key, ...json },
      body: JSON.stringify(body),
    },
  )
  return { status: answer.status, body: JSON.parse(untimed(await answer.text())) }
}

function questionOf(token: string, { method = 'GET', path = '/', headers = {}, body }: Call) {
  return { token, method, url: `http://${HOST}${path}`, headers, ...(body ? { body } : {}) }
}

async function askCommand(gateway: TestGateway, call: Call, token: string) {
  const { method, url, headers, body } = questionOf(token, call)
  const fields = Object.entries(headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ])
  const place = ['--config', gateway.configFile, '--state', gateway.state]
  const args = ['why', '-', method, url, ...(body === undefined ? [] : [body]), ...fields, ...place]
  return run([...args, '--json'], { input: `${token}\n` })
}

void flow('door and command say what becomes of a call', SETUP, async (t, gateway) => {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(openApiDocument([]), 'doors')
  const fits = ajv.getSchema('doors#/components/schemas/Why')
  for (const call of CALLS) {
    const token = gateway.mint(...call.lines)
    const said = await askDoor(gateway, questionOf(token, call))
    const command = await askCommand(gateway, call, token)
    const { lines: _, ...request } = call
    const lived = await gateway.ask('absolute', { token, ...request })
    const name = JSON.stringify(call)
    t.equal(said.status, 200, name)
    t.ok(fits?.(said.body), `${name} ${ajv.errorsText(fits?.errors)}`)
    t.equal(said.body.allowed, lived.status === 200, name)
    t.equal(said.body.code, lived.header('refused'), name)
    t.strictSame(
      said.body.reasons,
      lived.status === 200 ? [] : JSON.parse(untimed(lived.text)).reasons,
    )
    t.strictSame(JSON.parse(untimed(command.stdout)), said.body, name)
    t.equal(command.exit, said.body.allowed ? 0 : 1, name)
    t.equal(said.body.lines.length, call.lines.length)
  }
})

void flow('nothing is recorded, counted or used by asking', SETUP, async (t, gateway) => {
  const token = gateway.mint('uses <= 1')
  const call = { lines: [] }
  for (let times = 0; times < 3; times++) {
    t.match(await askDoor(gateway, questionOf(token, call)), {
      body: { allowed: true, lines: [{ verdict: 'holds', used: 0 }] },
    })
    t.equal((await askCommand(gateway, call, token)).exit, 0)
  }
  t.same(
    gateway.records().filter(({ kind }) => kind !== 'segment' && kind !== 'event'),
    [],
  )
  t.equal((await gateway.ask('absolute', { token })).status, 200)
  t.match(await askDoor(gateway, questionOf(token, call)), {
    body: { allowed: false, code: 'uses_spent', lines: [{ verdict: 'refuses', used: 1 }] },
  })
  gateway.revoke(unsafeReadToken(token).id)
  t.match(JSON.parse((await askCommand(gateway, call, token)).stdout), {
    allowed: false,
    code: 'revoked',
  })
})

void flow(
  'what is no question is refused, and a token is not said again',
  SETUP,
  async (t, gateway) => {
    const token = gateway.mint('tools = *')
    const asked = { token, method: 'GET', url: `http://${HOST}/` }
    t.match(await askDoor(gateway, { ...asked, surprise: 1 }), {
      status: 400,
      body: { code: 'unknown_field' },
    })
    t.match(await askDoor(gateway, { token }), { status: 400, body: { code: 'malformed_request' } })
    for (const url of ['ftp://x/', '/path', `http://${HOST}/../x`, 'http://bad host/'])
      t.match(await askDoor(gateway, { ...asked, url }), {
        status: 200,
        body: { allowed: false, code: 'malformed_request' },
      })
    t.match(await askDoor(gateway, { ...asked, method: 'G E T' }), {
      body: { code: 'malformed_request' },
    })
    t.match(await askDoor(gateway, { ...asked, headers: { host: 'other.test' } }), {
      body: { code: 'authority_mismatch' },
    })
    t.match(await askDoor(gateway, { ...asked, door: 'mount' }), { body: { allowed: true } })
    t.match(await askDoor(gateway, { ...asked, door: 'mount', url: 'https://elsewhere.test/' }), {
      body: { code: 'malformed_request' },
    })
    const forged = mintToken(createBuildKey('another-key-of-32-bytes-00000000'), 'g', ['tools = *'])
    const said = await askDoor(gateway, { ...asked, token: forged, cedar: true })
    t.match(said, { body: { allowed: false, code: 'token_forged', lines: [] } })
    t.notMatch(JSON.stringify([said, await askDoor(gateway, asked)]), /g1\./)
  },
)

void flow(
  'a host that is passed through unread is judged as its tunnel',
  { ...SETUP, upstream: { intercept: false } },
  async (t, gateway) => {
    const asked = (...lines: readonly string[]) =>
      askDoor(gateway, { token: gateway.mint(...lines), method: 'GET', url: `https://${HOST}/` })
    t.match(await asked('tools = HTTP_CONNECT'), { body: { allowed: true, tool: 'HTTP_CONNECT' } })
    t.match(await asked('tools = HTTP_GET'), { body: { code: 'tool_not_granted' } })
  },
)

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Test } from 'tap'
import { WAY_NAMES } from '../../catalog/index.ts'
import { flow, type TestGateway } from '../helpers/gateway.ts'
import {
  jsonOf,
  openDesk,
  ROWS,
  runText,
  SAMPLES,
  watched,
  waysFrom,
  type Desk,
  type Ended,
  type Sample,
  type WayText,
} from '../flow/_ways.ts'
import {
  byClaude,
  byEvents,
  byGraphql,
  byMcp,
  byShortcut,
  byStdio,
  noSshd,
  openMachine,
  postedIn,
  prepareDirect,
  recordedIn,
} from './_ways.ts'

// Every way of every tool, run by its own interpreter: some minutes.

const MACHINE = 'gate-machine'

/** Texts that make no call by themselves, or that only the owner has. */
const STILL = ['oip_shape', 'console_app', 'link_page', 'link_rest', 'link_mcp']

const { setup, seen } = watched(ROWS)
const config = { doors: { graphql: true, webhook: true }, ways: { ssh_host: MACHINE } }

await flow(
  'every way of every tool does the same call',
  { ...setup, config },
  async (t, gateway) => {
    const desk = openDesk(t)
    const own = prepareDirect(desk, gateway)
    if (noSshd === undefined) await openMachine(t, desk, MACHINE)
    else if (process.env['CI'] === 'true') t.fail(noSshd)
    else await t.test('ssh', { skip: noSshd }, () => {})
    for (const sample of SAMPLES)
      await t.test(sample.tool, (t) => everyWay(t, { desk, gateway, own, sample }))
  },
)

interface Bench {
  readonly desk: Desk
  readonly gateway: TestGateway
  /** State of a gateway inside of a program. */
  readonly own: string
  readonly sample: Sample
}

interface Run {
  readonly name: string
  readonly by: () => Promise<Ended>
}

async function everyWay(t: Test, bench: Bench): Promise<void> {
  const { gateway, own, sample } = bench
  const { tool } = sample
  const token = gateway.mint(`tools = ${tool}`)
  const ways = await waysFrom(gateway, token, tool, { args: jsonOf(sample) })
  t.strictSame(
    ways.map(({ way }) => way),
    WAY_NAMES,
  )
  t.strictSame(
    ways.filter(({ text }) => text === undefined).map(({ way }) => way),
    missingFor(sample),
    'what is not to be had',
  )
  shapeHolds(t, ways)
  const runs = ways.flatMap((way) => (way.text === undefined ? [] : runsOf(way, token, bench)))
  const before = recordedIn(own, tool)
  seen.length = 0
  await inTurns(runs, async ({ name, by }) => {
    const ended = await by().catch((error: unknown) => ({ code: -1, out: '', err: String(error) }))
    t.match({ code: ended.code, out: ended.out }, { code: 0, out: /pong/ }, `${name} ${ended.err}`)
  })
  t.equal(seen.length, runs.length, 'one call each')
  for (const call of seen) t.strictSame(call, seen[0], 'the same call')
  const receipts = (await gateway.receipts()).filter((receipt) => receipt['tool'] === tool)
  const inside = recordedIn(own, tool) - before
  t.strictSame([receipts.length + inside, inside], [runs.length, 1], 'a receipt each')
  t.ok(receipts.every(({ outcome }) => outcome === 'allowed'))
}

/** The ways that a tool has not. */
function missingFor({ tool, json, row = {} }: Sample): readonly string[] {
  const { method = 'GET' } = row as { readonly method?: string }
  const missing = [
    'console_app',
    ...(method === 'GET' ? [] : ['sse']),
    ...(json === undefined ? [] : ['sdk']),
    ...(tool === 'HTTP_GET' || tool === 'TRACED' ? ['graphql'] : []),
  ]
  return WAY_NAMES.filter((way) => missing.includes(way))
}

function shapeHolds(t: Test, ways: readonly WayText[]): void {
  const find = (name: string) => ways.find(({ way }) => way === name)!
  const ajv = new Ajv2020({ allowUnionTypes: true, strictRequired: false, allErrors: true })
  const schema = JSON.parse(find('oip_shape').text) as object
  t.ok(ajv.validateSchema(schema), 'a schema of 2020-12')
  const validate = ajv.compile(schema)
  const envelope = JSON.parse(postedIn(find('oip')).body) as object
  t.ok(validate(envelope), JSON.stringify(validate.errors))
  t.notOk(validate({ ...envelope, stranger: 1 }))
  t.notOk(validate({ ...envelope, target: 'OTHER' }))
}

function runsOf(way: WayText, token: string, bench: Bench): readonly Run[] {
  const { desk, own, sample } = bench
  const { tool, args, json } = sample
  const called = { tool, args }
  const name = way.way
  const one = (by: Run['by'], by_ = '') => ({ name: `${name}${by_}`, by })
  // Clients in JavaScript would round the number themselves.
  const ofClients = (...runs: readonly Run[]) => (json === undefined ? runs : [])
  switch (name) {
    case 'link_mcp':
      return ofClients(one(() => byMcp(way.text, called)))
    case 'link_rest':
      return [one(() => posted(way.text, `{"tool":"${tool}","args":${jsonOf(sample)}}`))]
    case 'claude_code':
      return ofClients(one(() => byClaude(desk, way, called)))
    case 'mcp_stdio':
      return ofClients(one(() => byStdio(desk, way, called)))
    case 'graphql':
      return [
        one(() => runText(desk, way)),
        ...ofClients(one(() => byGraphql(way, token), ' by a client')),
      ]
    case 'sse':
      return [one(() => byEvents(way))]
    case 'shortcut':
      return [one(() => byShortcut(way))]
    case 'shell':
    case 'curl':
      return [
        one(() => runText(desk, way)),
        one(() => desk.run('bash', [desk.file('way.sh', way.text)]), ' in bash'),
      ]
    case 'function_direct':
      return [
        one(() => desk.run('node', [desk.file('own.mjs', way.text)], { NARROWGATE_STATE: own })),
      ]
    case 'ssh':
      return noSshd === undefined ? [one(() => runText(desk, way))] : []
    default:
      return STILL.includes(name) ? [] : [one(() => runText(desk, way))]
  }
}

async function posted(url: string, body: string): Promise<Ended> {
  const answer = await fetch(url, { method: 'POST', body })
  return { code: answer.ok ? 0 : 1, out: await answer.text(), err: '' }
}

/** Three at a time. */
async function inTurns<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await each(item)
  }
  await Promise.all([work(), work(), work()])
}

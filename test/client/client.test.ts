import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { format, inspect } from 'node:util'
import t, { type Test } from 'tap'
import { createClient, Refused, TokenFault, type Client } from '../../client/index.ts'
import { narrowToken } from '../../policy/index.ts'
import { blocksOf } from '../docs/pages.ts'
import { flow, type TestGateway } from '../helpers/gateway.ts'
import { CLIENT_SETUP } from './_upstream.ts'

/** A client of a whole gateway, and that gateway. */
interface Scene {
  readonly gateway: TestGateway
  readonly client: Client
  readonly url: string
  clientOf(...lines: readonly string[]): Client
}

await flow('a client of a whole gateway', CLIENT_SETUP, async (t, gateway) => {
  const url = `http://127.0.0.1:${gateway.proxyPort}`
  const clientOf = (...lines: readonly string[]) =>
    createClient({ url, token: gateway.mint(...lines) })
  const scene = { gateway, url, clientOf, client: clientOf('tools = NOTE,NOTES_*') }
  for (const [name, check] of Object.entries({
    finds,
    calls,
    streams,
    refuses,
    batches,
    narrows,
    readsReceipts,
    keepsItsToken,
    runsTheExamples,
  }))
    await t.test(name, (t) => check(t, scene))
})

async function finds(t: Test, { client, clientOf }: Scene): Promise<void> {
  const found = await client.find('write a note', { limit: 1 })
  t.match(found, [{ name: 'NOTES_MAKE', summary: 'write a new note', matched_because: /\w/ }])
  t.equal(found.length, 1, 'as many as were asked for')
  t.strictSame(await clientOf('tools = NOTE').tools(), ['NOTE'], 'the tools of this token')
  t.strictSame(await client.tools({ want: { select: ['name'], page: { limit: 1 } } }), {
    value: [{ name: 'NOTE' }],
    next: (await client.tools({ want: { page: { limit: 1 } } })).next,
  })
  t.match(await client.tools({ want: 'summary' }), { value: [{ summary: 'read one note' }] })
  t.match(await client.contract('NOTE'), {
    name: 'NOTE',
    input_schema: { required: ['id'] },
  })
  await t.rejects(client.contract('SECRET/../NOTE'), { code: 'not_found' })
}

async function calls(t: Test, { client, gateway }: Scene): Promise<void> {
  const first = await client.call<{ id: number; title: string }>('NOTE', { id: '1' })
  t.match(first, { value: { id: 1, title: 'buy milk' }, status: 200, next: null })
  t.equal(gateway.receipt(first.receipt)?.outcome, 'allowed', 'its receipt is named')
  const page = { limit: 1 }
  const cut = await client.call('NOTES_LIST', {}, { select: ['by.name'], order: ['-id'], page })
  t.match(cut, { value: [{ by: { name: 'ada' } }], projected: /^\d+->\d+$/ })
  const more = { page: { limit: 1, cursor: `${cut.next}` }, order: ['-id'], select: ['id'] }
  t.match(await client.call('NOTES_LIST', {}, more), { value: [{ id: 2 }], next: String })
  const where = { 'by.name': 'ada' }
  const counted = await client.call(
    'NOTES_LIST',
    {},
    { where, want: { aggregate: { count: true } } },
  )
  t.match(counted.value, { count: 2 })
  t.match(await client.call('NOTES_MAKE', { title: 'ü\n"' }), {
    status: 201,
    value: { title: 'ü\n"' },
  })
  t.match(await client.call('NOTE', { id: '9' }), { status: 404, value: { error: 'no such note' } })
  t.equal((await client.call('NOTE', { id: 'text' })).value, 'grüße')
  t.equal((await client.call('NOTE', { id: 'broken' })).value, '{"id":', 'JSON that is none')
  t.strictSame((await client.call('NOTE', { id: 'bytes' })).value, Uint8Array.of(0xff, 0xfe))
  t.equal((await client.call('NOTE', { id: 'nothing' })).value, undefined)
  const { arrived } = gateway.upstreams
  const before = arrived.length
  t.match(await client.call('NOTE', { id: 'away' }), { status: 302 })
  t.strictSame(arrived.slice(before), ['GET /notes/away'], 'no redirect is followed')
}

async function streams(t: Test, { client }: Scene): Promise<void> {
  const response = await client.send('NOTE', { id: 'stream' })
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  t.equal(new TextDecoder().decode(value), 'data: 1\n\n', 'before the answer has ended')
  await reader.cancel()
  const ended = client.call('NOTE', { id: 'slow' }, { signal: AbortSignal.timeout(50) })
  await t.rejects(ended, { name: 'TimeoutError' })
  await t.rejects(client.call('NOTE', { id: 'never' }, { control: { timeout_ms: 50 } }), {
    name: 'Refused',
    code: 'upstream_timeout',
    status: 504,
  })
}

async function refuses(t: Test, { client, gateway, clientOf }: Scene): Promise<void> {
  const narrow = clientOf('tools = NOTES_LIST')
  const refused = await narrow.call('NOTE', { id: '1' }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(refused instanceof Refused)) return void t.fail('it is refused')
  t.match(refused, {
    code: 'tool_not_granted',
    status: 403,
    ran: false,
    reasons: [{ axis: 'tools', caveat: 'tools = NOTES_LIST', got: 'NOTE', repair: String }],
    message: /^tool_not_granted: /,
  })
  t.equal(gateway.receipt(refused.receipt ?? '')?.outcome, 'refused', 'with its receipt')
  await t.rejects(client.call('NOTE', { no: '1' }), { code: 'unknown_field', status: 400 })
  await t.rejects(client.find(''), { code: 'malformed_request' })
  const server = createServer((_req, res) => void res.writeHead(404).end('{}'))
  t.teardown(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const stray = createClient({ url: `http://127.0.0.1:${port}`, token: client.token })
  const message = /status 404, which no gateway said/
  await t.rejects(stray.find('notes'), { message })
  await t.rejects(stray.call('NOTE'), { message })
  await t.rejects(stray.batch([]), { message })
  await t.rejects(stray.receipt('x'), { message })
}

async function batches(t: Test, { client }: Scene): Promise<void> {
  const finished: string[] = []
  const made = [
    { key: 'slow', tool: 'NOTE', args: { id: 'slow' } },
    { tool: 'NOTE', args: { id: '1' }, select: ['title'] },
    { key: 'slow', tool: 'NOTE', args: { id: '2' } },
    { key: 'not a key', tool: 'NOTE' },
    { key: 'refused', tool: 'SECRET' },
    { key: 'missing', tool: 'NOTE', args: { id: '9' } },
    { key: 'named', tool: 'NOTES_MAKE', args: { title: { $from: '1.title' } } },
  ]
  const answers = await client.batch(made, { onAnswer: ({ key }) => void finished.push(key) })
  t.strictSame(
    answers.map(({ key }) => key),
    ['slow', '1', '2:slow', '3', 'refused', 'missing', 'named'],
    'in the order of the calls',
  )
  t.strictSame(finished.toSorted(), answers.map(({ key }) => key).toSorted())
  t.equal(finished.at(-1), 'slow', 'each told as it finished')
  const [, first, twice, , refused, missing, named] = answers
  t.match(first, { ok: true, status: 200, value: { title: 'buy milk' }, refused: null })
  t.match(twice?.refused, { name: 'Refused', code: 'malformed_request' })
  t.ok(refused?.refused instanceof Refused)
  t.match(missing, { ok: false, status: 404, value: { error: 'no such note' }, refused: null })
  t.match(named, { value: { title: 'buy milk' }, receipt: String })
  for await (const { key } of client.answers(made)) {
    t.not(key, 'slow', 'the first to finish is the first to come')
    break
  }
  await t.rejects(client.batch([]), { name: 'Refused', code: 'malformed_request', status: 400 })
}

async function narrows(t: Test, { client, url }: Scene): Promise<void> {
  const narrow = client.narrow('tools = NOTE', 'arg NOTE.id = 1')
  t.equal(narrow.token, narrowToken(client.token, ['tools = NOTE', 'arg NOTE.id = 1']))
  t.match(await narrow.call('NOTE', { id: '1' }), { status: 200 })
  await t.rejects(narrow.call('NOTE', { id: '2' }), { code: 'arg_refused' })
  t.match(await client.call('NOTE', { id: '2' }), { status: 200 }, 'the wider one is as it was')
  t.throws(() => client.narrow('colour = blue'), TokenFault)
  t.throws(() => client.narrow('delegate = no').narrow('uses <= 1'), {
    code: 'token_not_delegable',
  })
  const offline = createClient({
    url,
    token: client.token,
    fetch: () => t.fail('it asked') as never,
  })
  t.equal(offline.narrow('uses <= 1').token, client.narrow('uses <= 1').token)
}

async function readsReceipts(t: Test, { client, gateway, clientOf }: Scene): Promise<void> {
  const { receipt } = await client.call('NOTES_LIST')
  const narrow = client.narrow('uses <= 1')
  const arrived = gateway.upstreams.arrived.length
  t.match(await client.receipt(receipt), { id: receipt, tool: 'NOTES_LIST', outcome: 'allowed' })
  t.strictSame((await client.receipt(receipt, { want: 'id' })).value, [
    { id: 1 },
    { id: 2 },
    { id: 3 },
  ])
  const where = { id: { gte: 2 } }
  const recut = await client.receipt(receipt, {
    want: { where, select: ['id'], page: { limit: 1 } },
  })
  t.match(recut, { value: [{ id: 2 }], receipt, projected: /->/, next: String })
  t.equal(gateway.upstreams.arrived.length, arrived, 'nothing is called')
  t.match(await narrow.receipt(receipt), { id: receipt }, 'it is in its chain')
  const own = await narrow.call('NOTES_LIST')
  for (const other of [client, clientOf('tools = *')])
    await t.rejects(other.receipt(own.receipt), { code: 'not_found', status: 404 })
}

async function keepsItsToken(t: Test, { client, url, clientOf }: Scene): Promise<void> {
  const { token } = client
  const [, payload = '', signature = ''] = token.split('.')
  const shown = (value: unknown) =>
    [
      inspect(value, { showHidden: true, getters: true, depth: null, showProxy: true }),
      JSON.stringify(value),
      JSON.stringify({ ...(value as object) }),
      String(value),
      value instanceof Error ? `${value.stack}` : '',
    ].join()
  const errors = await Promise.all(
    [
      createClient({ url: 'http://127.0.0.1:1', token }).tools(),
      clientOf('tools = NOTE').receipt('x'),
      createClient({ url, token: `${token}A` }).tools(),
      client.call('SECRET'),
      client.call('NOTE', { id: 'slow' }, { signal: AbortSignal.abort() }),
    ].map((asked) => asked.catch((error: unknown) => error)),
  )
  const thrown = [`${token}\n`, `${token} `, ''].map((bad) =>
    errorOf(() => createClient({ url, token: bad })),
  )
  const addresses = ['nowhere', 'ftp://a', `http://agent:${token}@a`, `http://a/?t=${token}`]
  const misplaced = addresses.map((bad) => errorOf(() => createClient({ url: bad, token })))
  const faults = errorOf(() => client.narrow('colour = blue'))
  for (const value of [client, ...errors, ...thrown, ...misplaced, faults]) {
    const text = shown(value)
    t.notOk(text.includes(signature) || text.includes(payload), text.slice(0, 80))
  }
  for (const error of [...thrown, ...misplaced]) t.ok(error instanceof TypeError)
  t.ok(errors.every((error) => error instanceof Error))
}

/** What docs/client.md shows is one program, which prints what its remarks say. */
async function runsTheExamples(t: Test, { url, clientOf }: Scene): Promise<void> {
  const text = blocksOf('docs/client.md')
    .filter(({ language }) => language === 'js')
    .flatMap(({ lines }) => lines)
    .join('\n')
  const promised = [...text.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, said = '']) => said)
  const printed: string[] = []
  const log = (...values: readonly unknown[]) => void printed.push(format(...values))
  const [imports = '', ...body] = text.split('\n\n')
  const program = `${imports}\nexport async function run(console, process) {${body.join('\n')}}`
  const folder = t.testdir({ 'program.mjs': program })
  const { run } = (await import(join(folder, 'program.mjs'))) as {
    readonly run: (console: object, process: object) => Promise<void>
  }
  const { token } = clientOf('tools = NOTE,NOTES_LIST,NOTES_MAKE')
  await run({ log }, { env: { GATEWAY: url, TOKEN: token } })
  t.ok(promised.length > 10, 'the remarks were read')
  t.strictSame(printed.join(', '), promised.join(', '))
}

function errorOf(make: () => unknown): unknown {
  try {
    make()
    return undefined
  } catch (error) {
    return error
  }
}

t.test('the package publishes it', async (t) => {
  const published = (await import('narrowgate/client' as string)) as object
  t.match(Object.keys(published).toSorted(), ['Refused', 'TokenFault', 'createClient'])
})

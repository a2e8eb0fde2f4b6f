import { once } from 'node:events'
import t from 'tap'
import { Metadata, status } from '@grpc/grpc-js'
import type { StatusObject } from '@grpc/grpc-js'
import { flow, KEY } from '../helpers/gateway.ts'
import { configOf, openClient, unary, words } from './client.ts'
import { openGrpcUpstream } from './service.ts'

const upstream = await openGrpcUpstream(t)

await flow('the four kinds of calls', { config: configOf(upstream) }, async (t, gateway) => {
  const client = openClient(t, gateway, gateway.mint('tools = HTTP_*'))

  await t.test('unary: metadata both ways, status and trailers', async (t) => {
    const metadata = new Metadata()
    metadata.set('x-asked', 'yes')
    metadata.set('x-asked-bin', Buffer.from([9, 0, 8]))
    const { value, head, end } = await unary(client.unary.bind(client), 'hi', metadata)
    t.equal(String(value), 'hi')
    t.same(head?.get('x-head'), ['first'])
    t.equal(end.code, status.OK)
    t.same(end.metadata.get('x-sum'), ['7'])
    t.same(end.metadata.get('x-raw-bin'), [Buffer.from([0, 255, 1])])
    const arrived = upstream.arrived.at(-1)
    t.same(arrived?.get('x-asked'), ['yes'])
    t.same(arrived?.get('x-asked-bin'), [Buffer.from([9, 0, 8])])
  })

  await t.test('a megabyte, both ways', async (t) => {
    const text = 'x'.repeat(1_000_000)
    const { value } = await unary(client.unary.bind(client), text)
    t.ok(value?.equals(words(text)))
  })

  await t.test('client streaming', async (t) => {
    const answer = new Promise((resolve, reject) => {
      const call = client.collect(new Metadata(), (error: unknown, value: Buffer) =>
        error === null ? resolve(String(value)) : reject(error),
      )
      for (const part of ['a', 'b', 'c']) call.write(words(part))
      call.end()
    })
    t.equal(await answer, 'abc')
  })

  await t.test('server streaming', async (t) => {
    const call = client.repeat(words('hi'))
    const parts: string[] = []
    call.on('data', (part: Buffer) => parts.push(String(part)))
    const [end] = (await once(call, 'status')) as [StatusObject]
    t.same(parts, ['0 hi', '1 hi', '2 hi', '3 hi', '4 hi'])
    t.same([end.code, end.metadata.get('x-sum')], [status.OK, ['7']])
  })

  await t.test('both ways at a time: each word is answered before the next is said', async (t) => {
    const call = client.chat()
    for (const word of ['one', 'two', 'three']) {
      call.write(words(word))
      const [part] = (await once(call, 'data')) as [Buffer]
      t.equal(String(part), `re: ${word}`)
    }
    call.end()
    const [end] = (await once(call, 'status')) as [StatusObject]
    t.equal(end.code, status.OK)
  })

  await t.test('an error without an answer', async (t) => {
    const { error, end } = await unary(client.fail.bind(client), 'hi')
    t.match(error, { code: status.NOT_FOUND, details: 'no “such” thing' })
    t.same(end.metadata.get('x-sum'), ['7'])
  })
})

await flow('refusals', { config: configOf(upstream) }, async (t, gateway) => {
  const before = upstream.arrived.length
  const outside = openClient(t, gateway, gateway.mint('tools = SOMETHING_ELSE'))
  const { error, end } = await unary(outside.unary.bind(outside), 'hi')
  t.equal(error?.code, status.PERMISSION_DENIED)
  t.match(error?.details, /^tool_not_granted: the token does not grant this tool; /)
  t.same(end.metadata.get('refused'), ['tool_not_granted'])
  t.match(gateway.receipt(String(end.metadata.get('receipt'))), { outcome: 'refused' })

  const once = openClient(t, gateway, gateway.mint('tools = HTTP_*', 'uses <= 1'))
  t.equal((await unary(once.unary.bind(once), 'hi')).error, null)
  const spent = await unary(once.unary.bind(once), 'hi')
  t.equal(spent.error?.code, status.RESOURCE_EXHAUSTED)
  t.equal(upstream.arrived.length, before + 1, 'only the granted call arrived')
})

await flow(
  'a key goes in, and nothing of it comes back',
  {
    config: configOf(upstream, {
      keys: [{ name: 'grpc', secret: { env: 'FLOW_KEY' }, header: 'authorization' }],
    }),
  },
  async (t, gateway) => {
    const client = openClient(t, gateway, gateway.mint('tools = HTTP_*'))
    const { value } = await unary(client.unary.bind(client), 'mine: ')
    const arrived = upstream.arrived.at(-1)
    t.same(arrived?.get('authorization'), [`Bearer ${KEY}`])
    t.match(String(value), /^mine: /)
    t.notOk(String(value).includes(KEY.slice(0, 8)), 'the echoed key is masked')
  },
)

await flow('a cut ends a stream under way', { config: configOf(upstream) }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  const client = openClient(t, gateway, token)
  const call = client.chat()
  call.on('error', () => {})
  call.write(words('one'))
  await once(call, 'data')
  const ended = new Promise<StatusObject>((resolve) => void call.on('status', resolve))
  gateway.revoke(String(gateway.records().find(({ kind }) => kind === 'intent')?.grant))
  const end = await ended
  t.not(end.code, status.OK)
})

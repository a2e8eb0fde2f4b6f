import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openDoor, rawClient } from './_door.ts'

const HEAD = [
  'POST http://a.test/ HTTP/1.1',
  'Host: a.test',
  'Content-Length: 5',
  'Expect: 100-continue',
  '',
  '',
]
const refusal = { status: 403, headers: [], body: Buffer.from('no') }

t.test('100 goes out when the body is wanted, not before', async (t) => {
  let decide = () => {}
  const door = await openDoor(t, {
    async exchange(knock) {
      await new Promise<void>((resolve) => (decide = resolve))
      knock.proceed()
      knock.proceed()
      const chunks = []
      for await (const chunk of knock.body ?? []) chunks.push(chunk)
      return { status: 200, headers: [], body: Buffer.concat(chunks) }
    },
  })
  const client = await rawClient(t, door.port)
  client.send(...HEAD)
  await sleep(50)
  t.equal(client.seen(), '')
  decide()
  t.equal(await client.until(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n')
  client.send('hello')
  t.match(await client.until(/hello/), /^HTTP\/1\.1 200 /)
})

t.test('a refusal comes without a 100, and ends the connection', async (t) => {
  const door = await openDoor(t, { exchange: async () => refusal })
  const client = await rawClient(t, door.port)
  client.send(...HEAD)
  t.match(await client.until(/no/), /^HTTP\/1\.1 403 .*Connection: close\r\n/s)
  client.socket.end()
  t.equal(await client.end(), '')
})

t.test('what is sent behind a refusal is not taken for a request', async (t) => {
  const door = await openDoor(t, { exchange: async () => refusal, limits: { drainMs: 200 } })
  const client = await rawClient(t, door.port)
  client.send(...HEAD)
  await client.until(/no/)
  client.send(...HEAD)
  await client.end()
  t.equal(door.knocks.length, 1)
})

t.test(
  'a refused upload gets its answer, and the connection goes on once it was sent',
  async (t) => {
    const door = await openDoor(t, { exchange: async () => refusal })
    const client = await rawClient(t, door.port)
    for (const _ of [1, 2]) {
      client.send(
        'POST http://a.test/ HTTP/1.1',
        'Host: a.test',
        'Content-Length: 1000000',
        '',
        'x',
      )
      t.match(await client.until(/no/), /^HTTP\/1\.1 403 /, 'before the body is there')
      client.socket.write(Buffer.alloc(999_999, 'x'))
    }
  },
)

t.test('an upload that goes on after its refusal is cut', async (t) => {
  const door = await openDoor(t, { exchange: async () => refusal, limits: { drainBytes: 100_000 } })
  const client = await rawClient(t, door.port)
  client.send('POST http://a.test/ HTTP/1.1', 'Host: a.test', 'Content-Length: 999999999', '', 'x')
  await client.until(/no/)
  const timer = setInterval(() => client.socket.write(Buffer.alloc(65_536, 'x')), 5)
  await client.end()
  clearInterval(timer)
})

t.test('an upstream that fails in mid-upload leaves the client its answer', async (t) => {
  const door = await openDoor(t, {
    async exchange(knock) {
      for await (const _ of knock.body ?? []) break
      return { status: 502, headers: [], body: Buffer.from('upstream gone') }
    },
  })
  const client = await rawClient(t, door.port)
  client.send('POST http://a.test/ HTTP/1.1', 'Host: a.test', 'Content-Length: 10', '', 'first')
  t.match(await client.until(/upstream gone/), /^HTTP\/1\.1 502 /)
  client.send('later')
  client.send('GET http://a.test/ HTTP/1.1', 'Host: a.test', '', '')
  t.match(await client.until(/upstream gone/), /^HTTP\/1\.1 502 /)
})

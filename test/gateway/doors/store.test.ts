import t from 'tap'
import { TOKEN, openDoor, rawClient } from './_door.ts'

t.test('a path of the store is a knock for the gateway’s own', async (t) => {
  const door = await openDoor(t)
  const client = await rawClient(t, door.port)
  client.send(
    'PUT /api/store/a/b%20c?x=1 HTTP/1.1',
    'Host: gate.test',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Length: 2',
    '',
    'hi',
  )
  t.match(await client.until(/\r\n\r\n\{.*"\}/s), /^HTTP\/1.1 200 .*"body":"hi"/s)
  t.match(door.knocks, [
    {
      door: 'rest',
      shape: 'store',
      method: 'PUT',
      origin: { scheme: 'http', host: 'narrowgate.invalid', port: 80 },
      path: '/api/store/a/b%20c?x=1',
      credential: TOKEN,
      mount: { name: '/api/store', slot: 'authorization' },
      fault: undefined,
    },
  ])
})

t.test('one that could be read otherwise is told apart at the door', async (t) => {
  const door = await openDoor(t)
  for (const path of ['/api/store/a/../b', '/api/store/a/%2e%2e/b', '/api/store/a/b%5cc']) {
    const client = await rawClient(t, door.port)
    client.send(`GET ${path} HTTP/1.1`, 'Host: gate.test', '', '')
    await client.until(/\r\n\r\n/)
    t.match(door.knocks.at(-1), { shape: 'store', fault: { code: 'malformed_request' } }, path)
  }
})

t.test('what only begins like it is none of the store’s', async (t) => {
  const door = await openDoor(t)
  for (const path of ['/api/store', '/api/stores/a', '/API/store/a']) {
    const client = await rawClient(t, door.port)
    client.send(`GET ${path} HTTP/1.1`, 'Host: gate.test', '', '')
    await client.until(/\r\n\r\n/)
    t.match(door.knocks.at(-1), { shape: 'mount', fault: { code: 'malformed_request' } }, path)
  }
})

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createUpstream } from '../../../adapters/upstream/http.ts'
import { faultOf, OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const ENGINES = ['general', 'fast'] as const
const timeouts = { connect: 5_000, head: 5_000, idle: 300 }

for (const engine of ENGINES) {
  t.test(
    `${engine}: an upload that drains late keeps nobody from seeing a silent answer`,
    async (t) => {
      const begun = new Set<number>()
      const server = await rawServer(t, (socket, _soFar, connection) => {
        if (begun.has(connection)) return
        begun.add(connection)
        socket.pause()
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')
        setTimeout(() => socket.resume(), 100)
      })
      let given = 0
      const body = new Readable({
        read() {
          given += 65_536
          if (given < 12_000_000) this.push(Buffer.alloc(65_536))
        },
      })
      const headers = ['Host', 'up.test', 'Content-Length', '100000000']
      const request = requestTo(server.port, { method: 'POST', headers, body, timeouts })
      const answer = await send(upstreamFor(t, { engine }), request)
      t.equal((await faultOf(textOf(answer.body)))['code'], 'upstream_timeout')
    },
  )

  t.test(
    `${engine}: a body that ends with its connection is not whole where we cut it`,
    async (t) => {
      const server = await rawServer(t, (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nhalf'))
      const upstream = createUpstream({ engine })
      const answer = await send(upstream, requestTo(server.port))
      const fault = faultOf(textOf(answer.body))
      await sleep(50)
      await upstream.close()
      t.equal((await fault)['code'], 'upstream_failed')
    },
  )

  t.test(`${engine}: a head that cannot become one is not waited for`, async (t) => {
    for (const text of ['HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'HTTP/1.1 200 OK\r\nA: b\nC']) {
      const server = await rawServer(t, (socket) => socket.write(text))
      const fault = await faultOf(send(upstreamFor(t, { engine }), requestTo(server.port)))
      t.equal(fault['code'], 'upstream_invalid', JSON.stringify(text))
    }
  })
}

t.test('a 204 that announces a body is the last answer of its connection', async (t) => {
  for (const field of ['Content-Length: 2', 'Transfer-Encoding: chunked']) {
    const server = await rawServer(t, (socket, _soFar, connection) =>
      socket.write(connection === 0 ? `HTTP/1.1 204 None\r\n${field}\r\n\r\n` : OK),
    )
    const upstream = upstreamFor(t, { engine: 'fast' })
    t.equal(await textOf((await send(upstream, requestTo(server.port))).body), '')
    t.equal(await textOf((await send(upstream, requestTo(server.port))).body), 'ok')
    t.equal(server.received.length, 2, field)
  }
})

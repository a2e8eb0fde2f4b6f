import { Readable } from 'node:stream'
import t from 'tap'
import type { Bucket } from '../../../adapters/objects/port.ts'
import { bucketFault } from '../../../adapters/objects/rules/fault.ts'
import type { UpstreamRequest } from '../../../adapters/upstream/port.ts'
import { requestTarget } from '../../../catalog/index.ts'
import { STORE_ORIGIN } from '../../../gateway/store/address.ts'
import { createStoreUpstream } from '../../../gateway/store/local.ts'
import { makePlace } from '../../adapters/objects/embedded/rig.ts'
import { permitFor } from '../../adapters/upstream/helpers/upstream.ts'
import { bytesOf, textOf } from '../../conformance/buckets/store.ts'

const bucket = (await (await makePlace(t)).open()).bucket('a')

function requestOf(
  method: string,
  key: string,
  parts: Partial<UpstreamRequest> = {},
): UpstreamRequest {
  return {
    origin: STORE_ORIGIN,
    route: {},
    method,
    path: `/api/store/a/${key}`,
    headers: [],
    body: null,
    upgrade: false,
    signal: new AbortController().signal,
    timeouts: { connect: 1000, head: 1000, idle: 1000 },
    ...parts,
  }
}

function permitOf({ method, origin, path }: UpstreamRequest) {
  return permitFor(requestTarget(method, origin, path))
}

function storeOf(one: Bucket = bucket) {
  const warned: object[] = []
  const log = { warn: (fields: object) => void warned.push(fields) }
  return { store: createStoreUpstream(new Map([['a', one]]), log), warned }
}

t.test('a permit for anything else does nothing', async (t) => {
  const { store } = storeOf()
  const request = requestOf('PUT', 'permit', { body: Readable.from(['x']) })
  const target = requestTarget('PUT', STORE_ORIGIN, request.path)
  for (const other of [
    target.replace('PUT', 'GET'),
    `${target}x`,
    '',
    target.replace('http', 'https'),
  ])
    await t.rejects(store.send(request, permitFor(other)), TypeError, other)
  t.equal(await bucket.head('permit'), null)
  t.equal((await store.send(request, permitOf(request))).status, 200)
  t.equal(await textOf(bucket, 'permit'), 'x')
})

t.test('what is refused is an answer, and what fails is a fault of unknown fate', async (t) => {
  const missing = requestOf('GET', 'none')
  const answer = await storeOf().store.send(missing, permitOf(missing))
  t.match(JSON.parse((answer.body as Buffer).toString()), { status: 404, code: 'not_found' })
  const failing = {
    ...bucket,
    put: async () => {
      throw bucketFault('InternalError', 'database at db.internal: it is gone')
    },
  }
  const { store, warned } = storeOf(failing)
  const request = requestOf('PUT', 'x', { body: Readable.from(['x']) })
  const sent = store.send(request, permitOf(request))
  const fault = { code: 'upstream_failed', sent: 'unknown', name: 'UpstreamFault' }
  await t.rejects(sent, fault)
  await t.rejects(sent, { message: /^(?!.*db\.internal)/ }, 'a holder learns nothing of the place')
  t.match(warned, [{ error: { message: /db\.internal/ } }], 'the log has it')
})

t.test('a body that nobody wants is let go', async (t) => {
  const body = new Readable({ read() {} })
  body.push('x')
  const request = requestOf('PUT', 'x/../y', { body })
  const { status } = await storeOf().store.send(request, permitOf(request))
  t.equal(status, 400)
  t.ok(body.destroyed)
})

t.test('who goes in the midst stores nothing, and gets no more', async (t) => {
  const { store } = storeOf()
  const gone = new AbortController()
  const body = new Readable({ read() {} })
  body.push('half of it')
  const request = requestOf('PUT', 'gone', { body, signal: gone.signal })
  const sending = store.send(request, permitOf(request))
  setTimeout(() => gone.abort(), 50)
  await t.rejects(sending)
  t.equal(await bucket.head('gone'), null)

  await bucket.put('large', Buffer.alloc(3_000_000))
  const leaving = new AbortController()
  const read = requestOf('GET', 'large', { signal: leaving.signal })
  const { body: answer } = await store.send(read, permitOf(read))
  leaving.abort()
  await t.rejects(bytesOf(answer as Readable), { message: 'the call has ended' })
})

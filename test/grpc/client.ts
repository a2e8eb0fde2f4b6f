import type { EventEmitter } from 'node:events'
import { credentials, makeGenericClientConstructor, Metadata } from '@grpc/grpc-js'
import type { ServiceError, StatusObject } from '@grpc/grpc-js'
import type { Test } from 'tap'
import type { TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { ECHO } from './service.ts'
import type { GrpcUpstream } from './service.ts'

const EchoClient = makeGenericClientConstructor(ECHO, 'Echo')
export const words = (text: string): Buffer => Buffer.from(text)

/** A configuration whose one upstream is this. */
export function configOf({ port, caFile }: GrpcUpstream, more: object = {}): object {
  const upstream = { name: 'grpc', hosts: [HOST], address: `127.0.0.1:${port}`, ca: [caFile] }
  return { upstreams: [{ ...upstream, ...more }] }
}

/** A call under way, of whatever kind. */
interface Running extends EventEmitter {
  write(message: Buffer): boolean
  end(): void
}

type Method = (...args: unknown[]) => Running

/** A client of the gateway by the variable that the library reads, as `narrowgate env` sets it. */
export function openClient(t: Test, gateway: TestGateway, token: string) {
  process.env['grpc_proxy'] = `http://agent:${token}@127.0.0.1:${gateway.proxyPort}`
  const client = new EchoClient(`${HOST}:443`, credentials.createSsl(Buffer.from(gateway.caPem)))
  t.teardown(() => client.close())
  // The types of generic clients know no methods by name.
  return client as unknown as Record<keyof typeof ECHO, Method>
}

interface Unary {
  readonly error: ServiceError | null
  readonly value: Buffer | undefined
  readonly head: Metadata | undefined
  readonly end: StatusObject
}

/** One call with one word, and all that came of it. */
export function unary(call: Method, text: string, metadata = new Metadata()) {
  return new Promise<Unary>((resolve) => {
    let head: Metadata | undefined
    let settled: { error: ServiceError | null; value: Buffer | undefined } | undefined
    const running = call(words(text), metadata, (error: ServiceError | null, value?: Buffer) => {
      settled = { error, value }
    })
    running.on('metadata', (fields: Metadata) => (head = fields))
    running.on('status', (end: StatusObject) =>
      setImmediate(() => resolve({ error: null, value: undefined, ...settled, head, end })),
    )
  })
}

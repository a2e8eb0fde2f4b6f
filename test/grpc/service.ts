import { once } from 'node:events'
import { join } from 'node:path'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js'
import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
} from '@grpc/grpc-js'
import type { Test } from 'tap'
import { selfSigned } from '../adapters/upstream/helpers/certificate.ts'
import { HOST } from '../helpers/shapes.ts'

const bytes = (value: Buffer): Buffer => value

const method = (name: string, requestStream: boolean, responseStream: boolean) => ({
  path: `/test.Echo/${name}`,
  requestStream,
  responseStream,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
})

/** A service whose messages are bytes as they are: one method of each kind, and one that only fails. */
export const ECHO = {
  unary: method('Unary', false, false),
  collect: method('Collect', true, false),
  repeat: method('Repeat', false, true),
  chat: method('Chat', true, true),
  fail: method('Fail', false, false),
} satisfies ServiceDefinition

export interface GrpcUpstream {
  readonly port: number
  readonly caFile: string
  /** The metadata of every call that arrived. */
  readonly arrived: Metadata[]
}

/** A real gRPC server over TLS; it ends with the test. */
export async function openGrpcUpstream(t: Test): Promise<GrpcUpstream> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-grpc-'))
  const identity = await selfSigned(HOST)
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, identity.cert)
  const arrived: Metadata[] = []
  const server = new Server()
  server.addService(ECHO, handlers(arrived))
  const pair = { private_key: Buffer.from(identity.key), cert_chain: Buffer.from(identity.cert) }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createSsl(null, [pair]), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  t.teardown(() => {
    server.forceShutdown()
    rmSync(folder, { recursive: true, force: true })
  })
  return { port, caFile, arrived }
}

function trailers(): Metadata {
  const metadata = new Metadata()
  metadata.set('x-sum', '7')
  metadata.set('x-raw-bin', Buffer.from([0, 255, 1]))
  return metadata
}

function handlers(arrived: Metadata[]) {
  return {
    unary(
      call: ServerUnaryCall<Buffer, Buffer>,
      answer: (error: null, value: Buffer, trailer: Metadata) => void,
    ): void {
      arrived.push(call.metadata)
      const head = new Metadata()
      head.set('x-head', 'first')
      call.sendMetadata(head)
      // What the service is told by its client, so that tests see what comes back of a key.
      const told = call.metadata.get('authorization').join()
      answer(null, Buffer.concat([call.request, Buffer.from(told)]), trailers())
    },
    async collect(
      call: ServerReadableStream<Buffer, Buffer>,
      answer: (error: null, value: Buffer, trailer: Metadata) => void,
    ): Promise<void> {
      arrived.push(call.metadata)
      const parts: Buffer[] = []
      call.on('data', (part: Buffer) => parts.push(part))
      await once(call, 'end')
      answer(null, Buffer.concat(parts), trailers())
    },
    repeat(call: ServerWritableStream<Buffer, Buffer>): void {
      arrived.push(call.metadata)
      for (let turn = 0; turn < 5; turn += 1)
        call.write(Buffer.from(`${turn} ${call.request.toString()}`))
      call.end(trailers())
    },
    chat(call: ServerDuplexStream<Buffer, Buffer>): void {
      arrived.push(call.metadata)
      call.on('data', (part: Buffer) => call.write(Buffer.from(`re: ${part.toString()}`)))
      call.on('end', () => call.end(trailers()))
    },
    fail(call: ServerUnaryCall<Buffer, Buffer>, answer: (error: object) => void): void {
      arrived.push(call.metadata)
      answer({ code: status.NOT_FOUND, details: 'no “such” thing', metadata: trailers() })
    },
  }
}

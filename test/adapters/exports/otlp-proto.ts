import { createRequire } from 'node:module'

interface Type {
  decode(bytes: Uint8Array): object
  fromObject(value: object): object
  encode(message: object): { finish(): Uint8Array }
  toObject(message: object, options: object): Readonly<Record<string, unknown>>
}

interface Published {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: { readonly logs: { readonly v1: Readonly<Record<string, Type>> } }
    }
  }
}

/** The messages of OTLP as OpenTelemetry publishes them, compiled by it from its own .proto files. */
const published = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as Published

type Name = 'ExportLogsServiceRequest' | 'ExportLogsServiceResponse'

function typeOf(name: Name): Type {
  const type = published.opentelemetry.proto.collector.logs.v1[name]
  if (type === undefined) throw new Error(`${name} is not published`)
  return type
}

/** Members as the message names them; 64-bit numbers as texts. Fields that the message does not have are lost. */
export function decode(name: Name, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const type = typeOf(name)
  return type.toObject(type.decode(bytes), { longs: String, arrays: true })
}

export function encode(name: Name, value: object): Buffer {
  const type = typeOf(name)
  return Buffer.from(type.encode(type.fromObject(value)).finish())
}

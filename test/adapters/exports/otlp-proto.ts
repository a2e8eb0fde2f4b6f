import { createRequire } from 'node:module'

/** The messages of OTLP logs (opentelemetry-proto 1.x), by the numbers of their fields. */
const LOGS = {
  ExportLogsServiceRequest: { resource_logs: [1, 'repeated ResourceLogs'] },
  ExportLogsServiceResponse: { partial_success: [1, 'ExportLogsPartialSuccess'] },
  ExportLogsPartialSuccess: { rejected_log_records: [1, 'int64'], error_message: [2, 'string'] },
  ResourceLogs: {
    resource: [1, 'Resource'],
    scope_logs: [2, 'repeated ScopeLogs'],
    schema_url: [3, 'string'],
  },
  Resource: { attributes: [1, 'repeated KeyValue'], dropped_attributes_count: [2, 'uint32'] },
  ScopeLogs: {
    scope: [1, 'InstrumentationScope'],
    log_records: [2, 'repeated LogRecord'],
    schema_url: [3, 'string'],
  },
  InstrumentationScope: { name: [1, 'string'], version: [2, 'string'] },
  LogRecord: {
    time_unix_nano: [1, 'fixed64'],
    severity_number: [2, 'int32'],
    severity_text: [3, 'string'],
    body: [5, 'AnyValue'],
    attributes: [6, 'repeated KeyValue'],
    dropped_attributes_count: [7, 'uint32'],
    flags: [8, 'fixed32'],
    trace_id: [9, 'bytes'],
    span_id: [10, 'bytes'],
    observed_time_unix_nano: [11, 'fixed64'],
    event_name: [12, 'string'],
  },
  KeyValue: { key: [1, 'string'], value: [2, 'AnyValue'] },
  AnyValue: {
    string_value: [1, 'string'],
    bool_value: [2, 'bool'],
    int_value: [3, 'int64'],
    double_value: [4, 'double'],
    bytes_value: [7, 'bytes'],
  },
} as const

type Name = keyof typeof LOGS

interface Type {
  decode(bytes: Uint8Array): object
  fromObject(value: object): object
  encode(message: object): { finish(): Uint8Array }
  toObject(message: object, options: object): Readonly<Record<string, unknown>>
}

interface Protobuf {
  readonly Root: { fromJSON(json: object): { lookupType(name: string): Type } }
}

/** The library that gRPC brings along. */
function loadProtobuf(): Protobuf {
  const grpc = createRequire(import.meta.resolve('@grpc/grpc-js'))
  const loader = createRequire(grpc.resolve('@grpc/proto-loader'))
  return loader('protobufjs') as Protobuf
}

function fieldOf(type: string): object {
  const [, repeated, name = ''] = /^(repeated )?(\w+)$/.exec(type) ?? []
  return { type: name, ...(repeated === undefined ? {} : { rule: 'repeated' }) }
}

const nested = Object.fromEntries(
  Object.entries(LOGS).map(([name, fields]) => [
    name,
    {
      fields: Object.fromEntries(
        Object.entries(fields).map(([field, [id, type]]: [string, readonly [number, string]]) => [
          field,
          { id, ...fieldOf(type) },
        ]),
      ),
    },
  ]),
)
const root = loadProtobuf().Root.fromJSON({ nested })

/** Members as the message names them; 64-bit numbers as texts. Fields that the message does not have are lost. */
export function decode(name: Name, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const type = root.lookupType(name)
  return type.toObject(type.decode(bytes), { longs: String, arrays: true })
}

export function encode(name: Name, value: object): Buffer {
  const type = root.lookupType(name)
  return Buffer.from(type.encode(type.fromObject(value)).finish())
}

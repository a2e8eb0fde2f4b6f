import type { FeedItem } from '../../ledger/port.ts'
import {
  fixed64Field,
  intField,
  messageField,
  readMessage,
  stringField,
  type Field,
} from './protobuf.ts'
import { fieldsOf, membersOf, timeOf, type Fields } from './fields.ts'
import { recordText, type Writing } from './record.ts'

/** Severity numbers and texts of the log data model. */
const INFO = [9, 'INFO'] as const
const WARN = [13, 'WARN'] as const
const ERROR = [17, 'ERROR'] as const

const SEVERITIES = new Map<unknown, readonly [number, string]>(
  Object.entries({
    refused: WARN,
    gone: WARN,
    failed: ERROR,
    unknown: ERROR,
  }),
)

/** An ExportLogsServiceRequest (OTLP 1.x) with a log record for each item; the whole record is its body. */
export function encodeLogs(items: readonly FeedItem[], writing: Writing): Buffer {
  const service = { 'service.name': 'narrowgate', 'service.version': writing.version }
  const scope = [stringField(1, 'narrowgate.ledger'), stringField(2, writing.version)]
  const records = items.map((item) => messageField(2, logRecord(item, writing)))
  return messageField(1, [
    messageField(1, attributeFields(1, service)),
    messageField(2, [messageField(1, scope), ...records]),
  ])
}

function logRecord(item: FeedItem, writing: Writing): readonly Field[] {
  const fields = fieldsOf(item)
  const [number, text] = SEVERITIES.get(fields['outcome']) ?? INFO
  const event = item.kind === 'receipt' ? 'receipt' : String(fields['event'])
  return [
    fixed64Field(1, BigInt(Date.parse(timeOf(fields) ?? '') || 0) * 1_000_000n),
    intField(2, number),
    stringField(3, text),
    messageField(5, [stringField(1, recordText(item, writing))]),
    ...attributeFields(6, {
      'log.record.uid': item.id,
      'narrowgate.position': item.position,
      ...(item.kind === 'receipt' ? receiptAttributes(fields) : eventAttributes(fields)),
    }),
    fixed64Field(11, BigInt(Date.now()) * 1_000_000n),
    stringField(12, `narrowgate.${event}`),
  ]
}

function receiptAttributes(fields: Fields): Fields {
  const { method, url } = membersOf(fields['upstream'])
  return {
    'narrowgate.receipt': fields['id'],
    'narrowgate.outcome': fields['outcome'],
    'narrowgate.code': fields['code'],
    'narrowgate.tool': fields['tool'],
    'narrowgate.task': fields['task'],
    'narrowgate.grant': fields['grant'],
    'narrowgate.door': fields['door'],
    'http.request.method': method,
    'url.full': url,
    'http.response.status_code': fields['status'],
  }
}

function eventAttributes({ subject, actor }: Fields): Fields {
  return { 'narrowgate.subject': subject, 'narrowgate.actor': actor }
}

/** Attributes as the field of this number; those without a value are left out. */
function attributeFields(number: number, values: Fields): readonly Field[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const any = anyValue(value)
    return any === undefined
      ? []
      : [messageField(number, [stringField(1, key), messageField(2, [any])])]
  })
}

function anyValue(value: unknown): Field | undefined {
  if (typeof value === 'string') return stringField(1, value)
  return Number.isSafeInteger(value) ? intField(3, Number(value)) : undefined
}

/**
 * How many of the records an ExportLogsServiceResponse says the collector threw away; 0 where it says nothing, or is none:
 * by the protocol such records are not sent again.
 */
export function rejectedBy(answer: Buffer): number {
  const partial = readMessage(answer)?.get(1)
  const count = partial instanceof Buffer ? readMessage(partial)?.get(1) : undefined
  return typeof count === 'bigint' ? Number(count) : 0
}

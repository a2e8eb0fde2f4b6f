import fc from 'fast-check'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { SecretText } from '../../../adapters/keys/secret.ts'
import { encodeLogs, rejectedBy } from '../../../adapters/exports/formats/otlp.ts'
import type { SinkOptions } from '../../../adapters/exports/port.ts'
import { decode, encode } from './otlp-proto.ts'
import { createFeed, drained, itemOf, makeFolder, openCollector, receiptOf, start } from './rig.ts'

interface KeyValue {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

interface LogRecord {
  readonly body: { readonly stringValue: string }
  readonly attributes: readonly KeyValue[]
  readonly [field: string]: unknown
}

interface Request {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeLogs: readonly {
      readonly scope: object
      readonly logRecords: readonly LogRecord[]
    }[]
  }[]
}

function requestIn(body: Buffer): Request {
  return decode('ExportLogsServiceRequest', body) as unknown as Request
}

function recordsIn(body: Buffer): readonly LogRecord[] {
  return requestIn(body).resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords),
  )
}

function attributesOf({ attributes }: { readonly attributes: readonly KeyValue[] }) {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )
}

function otlpTo(url: string, more: object = {}): SinkOptions {
  return {
    type: 'otlp',
    name: 'logs',
    url,
    authorization: new SecretText('logs', 'Bearer of-the-collector'),
    format: 'json',
    batch: 10,
    deadlineMs: 1000,
    ...more,
  } as SinkOptions
}

t.test('a collector gets a log record for each item, with all of it', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  feed.add(20)
  const exports = start(t, feed, { folder: makeFolder(t), sinks: [otlpTo(collector.url)] })
  t.ok(await drained(exports))
  const [taken] = collector.taken
  if (taken === undefined) throw new Error('nothing came')
  t.equal(taken.headers['content-type'], 'application/x-protobuf')
  t.equal(taken.headers['authorization'], 'Bearer of-the-collector')
  const [resource] = requestIn(taken.body).resourceLogs
  t.strictSame(resource && attributesOf(resource.resource), {
    'service.name': 'narrowgate',
    'service.version': '1.2.3',
  })
  t.match(resource?.scopeLogs[0]?.scope, { name: 'narrowgate.ledger', version: '1.2.3' })
  const records = collector.taken.flatMap(({ body }) => recordsIn(body))
  t.same(
    records.map((record) => attributesOf(record)['log.record.uid']),
    feed.items.map(({ id }) => id),
  )
  t.strictSame(
    records.map(({ body }) => body.stringValue),
    feed.items.map(({ json }) => json),
  )
  const [first, , , , event] = records
  t.match(first, {
    timeUnixNano: '1795953601025000000',
    severityNumber: 9,
    severityText: 'INFO',
    eventName: 'narrowgate.receipt',
  })
  t.strictSame(first && attributesOf(first), {
    'log.record.uid': 'w_a:2',
    'narrowgate.position': 1,
    'narrowgate.receipt': '0199d2c4-0000-7000-8000-000000000001',
    'narrowgate.outcome': 'allowed',
    'narrowgate.tool': 'GITHUB_ISSUES_LIST',
    'narrowgate.task': 'T-7/3',
    'narrowgate.grant': 'g_1',
    'narrowgate.door': 'proxy',
    'http.request.method': 'GET',
    'url.full': 'https://api.github.com/repos/a/b/issues?state=open',
    'http.response.status_code': 200,
  })
  t.match(event, { eventName: 'narrowgate.grant_minted', severityText: 'INFO' })
  t.match(event && attributesOf(event), { 'narrowgate.subject': 'g_1' })
})

t.test('the severity follows the outcome', async (t) => {
  const severityOf = (outcome: string) => {
    const item = itemOf(1, 'receipt', { ...receiptOf(1), outcome })
    const [record] = recordsIn(encodeLogs([item], { format: 'json', version: '1' }))
    return [record?.['severityNumber'], record?.['severityText']]
  }
  t.same(severityOf('refused'), [13, 'WARN'])
  t.same(severityOf('gone'), [13, 'WARN'])
  t.same(severityOf('failed'), [17, 'ERROR'])
  t.same(severityOf('unknown'), [17, 'ERROR'])
})

t.test('as OCSF the body is an API Activity', async (t) => {
  const item = itemOf(1, 'receipt', receiptOf(1))
  const [record] = recordsIn(encodeLogs([item], { format: 'ocsf', version: '1' }))
  t.match(JSON.parse(record?.body.stringValue ?? ''), { class_uid: 6003, activity_id: 2 })
})

t.test('whatever the record says, the decoder gets it as it was', async (t) => {
  const property = fc.property(
    fc.record({
      tool: fc.string({ unit: 'grapheme' }),
      status: fc.maxSafeInteger(),
      at: fc.date({ min: new Date(0), max: new Date(8e12), noInvalidDate: true }),
    }),
    fc.string({ maxLength: 20_000 }),
    ({ tool, status, at }, note) => {
      const closed = at.toISOString()
      const item = itemOf(7, 'receipt', {
        id: 'r',
        seq: 1,
        outcome: 'allowed',
        tool,
        status,
        closed,
        note,
      })
      const [record] = recordsIn(encodeLogs([item], { format: 'json', version: '1' }))
      if (record === undefined) return false
      const attributes = attributesOf(record)
      return (
        record.body.stringValue === item.json &&
        attributes['narrowgate.tool'] === tool &&
        attributes['http.response.status_code'] === status &&
        record['timeUnixNano'] === String(BigInt(at.getTime()) * 1_000_000n)
      )
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
})

t.test('records that the collector threw away are counted, and not sent again', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  const partial = { rejectedLogRecords: 3, errorMessage: 'too old' }
  collector.be({
    kind: 'good',
    answer: encode('ExportLogsServiceResponse', { partialSuccess: partial }),
  })
  feed.add(8)
  const exports = start(t, feed, { folder: makeFolder(t), sinks: [otlpTo(collector.url)] })
  t.ok(await drained(exports))
  t.match(exports.status(), [{ rejected: 3, delivered: 10, failures: 0 }])
  t.equal(collector.asked(), 1)
})

t.test('an answer that is no message counts as nothing thrown away', async (t) => {
  for (const answer of ['', '{}', '<html>', '\n\xff\xff', '\n\u0004\b'])
    t.equal(rejectedBy(Buffer.from(answer, 'latin1')), 0, JSON.stringify(answer))
  t.equal(rejectedBy(encode('ExportLogsServiceResponse', {})), 0)
  const big = { partialSuccess: { rejectedLogRecords: 70_000, errorMessage: 'ü' } }
  t.equal(rejectedBy(encode('ExportLogsServiceResponse', big)), 70_000)
  const property = fc.property(fc.uint8Array(), (bytes) => rejectedBy(Buffer.from(bytes)) >= 0)
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
})

t.test('a collector that closes each connection is served too', async (t) => {
  const feed = createFeed()
  let records = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      records += recordsIn(Buffer.concat(chunks)).length
      response.writeHead(200, { connection: 'close' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  feed.add(40)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`
  t.ok(await drained(start(t, feed, { folder: makeFolder(t), sinks: [otlpTo(url)] })))
  t.equal(records, 50)
})

import fc from 'fast-check'
import t from 'tap'
import { eventsIn, eventText, withHeartbeat } from '../../../gateway/sse/events.ts'

async function* from<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) yield value
}

async function read(chunks: readonly Buffer[]): Promise<readonly string[]> {
  const found: string[] = []
  for await (const data of eventsIn(from(chunks))) found.push(data)
  return found
}

t.test('the data of events, however they are written', async (t) => {
  const text =
    '\uFEFFdata: a\n\nid: 1\rdata:b\rdata: c\r\r: no\r\n\r\ndata\n\nevent: x\n\ndatas: no\n\ndata: d'
  t.strictSame(await read([Buffer.from(text)]), ['a', 'b\nc', ''])
})

const piece = fc.constantFrom(
  'data: ü',
  'data:',
  'data',
  'id: 1',
  ': c',
  '\r',
  '\n',
  '\r\n',
  '\n\n',
  'x',
)

t.test('where the stream is cut makes no difference', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece), fc.array(fc.nat(20)), async (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''))
      const chunks: Buffer[] = []
      let at = 0
      for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)))
      const whole = JSON.stringify(await read([bytes]))
      return JSON.stringify(await read([...chunks, bytes.subarray(at)])) === whole
    }),
  )
})

t.test('what is written is read', async () => {
  const line = fc.string().filter((text) => !/[\r\n]/.test(text))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), async (lines) => {
      const data = lines.join('\n')
      return (await read([eventText('data', data, 'an-id')])).join() === data
    }),
  )
})

t.test('an event without an end is not kept for ever', async (t) => {
  const part = Buffer.from(`data: ${'x'.repeat(1_000_000)}`)
  await t.rejects(read(Array.from({ length: 5 }, () => part)), { code: 'too_large' })
  const lines = Buffer.from(`data: ${'x'.repeat(1_000_000)}\n`)
  await t.rejects(read(Array.from({ length: 5 }, () => lines)), { code: 'too_large' })
})

t.test('a fault of the source is one of the stream, and who goes ends it', async (t) => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    throw new Error('it broke')
  }
  const all = async () => {
    for await (const _ of withHeartbeat(failing(), 1000));
  }
  await t.rejects(all(), { message: 'it broke' })
  let ended = false
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.from('a')
    } finally {
      ended = true
    }
  }
  for await (const _ of withHeartbeat(endless(), 1000)) break
  t.ok(ended)
})

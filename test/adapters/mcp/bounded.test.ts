import { default as t } from 'tap'
import { boundedBody } from '../../../adapters/mcp/bounded.ts'

const MEGABYTE = 1_048_576

function bodyOf(chunks: Iterable<string>): ReadableStream<Uint8Array> {
  const bytes = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = bytes.next()
      if (done === true) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
  })
}

async function lengthOf(body: ReadableStream<Uint8Array>): Promise<number> {
  let length = 0
  for await (const chunk of body) length += chunk.length
  return length
}

const repeat = (text: string, times: number) => Array.from({ length: times }, () => text)

t.test('of one message so much is read, of many as much as there is', async (t) => {
  const broken: string[] = []
  const bounded = (chunks: string[], kind: 'events' | 'whole') =>
    lengthOf(boundedBody(bodyOf(chunks), kind, ({ message }) => broken.push(message)))
  for (const end of ['\n\n', '\r\n\r\n', '\r\r'])
    t.equal(
      await bounded(repeat(`${'x'.repeat(MEGABYTE - end.length)}${end}`, 40), 'events'),
      40 * MEGABYTE,
      JSON.stringify(end),
    )
  t.strictSame(broken, [])
  await t.rejects(bounded(repeat('x'.repeat(MEGABYTE), 40), 'events'), /a message of more than/)
  const lines = repeat(`${'x'.repeat(MEGABYTE - 1)}\n`, 40)
  await t.rejects(bounded(lines, 'events'), /a message of more than/)
  await t.rejects(bounded(repeat('x\n\n'.repeat(MEGABYTE), 40), 'whole'), /a message of more/)
  t.equal(broken.length, 3)
})

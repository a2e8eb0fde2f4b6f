import t from 'tap'
import { createRedactor } from '../../../gateway/wire/redactor.ts'

const redactor = createRedactor([{ name: 'k', value: 'sk-0123456789abcdef' }])

t.test('an event leaves whole in the push that brought it', async (t) => {
  const stream = redactor.stream()
  for (const event of [
    'data: {"delta":"sk"}\n\n',
    'data: 73\n\n',
    'data: c2st\n\n',
    'data: \\u0073\n\n',
  ]) {
    t.equal(stream.push(Buffer.from(event)).toString(), event)
  }
})

t.test('a tail that begins a form waits, and leaves when it turns out to be none', async (t) => {
  const stream = redactor.stream()
  t.equal(stream.push(Buffer.from('say sk-0123')).toString(), 'say ')
  t.equal(stream.push(Buffer.from('45')).toString(), '')
  t.equal(stream.push(Buffer.from('!')).toString(), 'sk-012345!')
  t.equal(stream.push(Buffer.from('sk-01')).length, 0)
  t.equal(stream.flush().toString(), 'sk-01')
})

t.test('nothing is held longer than the longest spelling of a form', async (t) => {
  const stream = redactor.stream()
  let held = 0
  for (let i = 0; i < 2_000; i++)
    held += 1 - stream.push(Buffer.from('\\u0073'.charAt(i % 6))).length
  t.ok(held <= 6 * 2 * 19)
})

t.test('hundreds of decoys neither slow it down without bound nor hide the key', async (t) => {
  const decoys = Array.from({ length: 2_000 }, (_all, i) =>
    'sk-0123456789abcdef'.slice(0, i % 19),
  ).join('')
  const start = performance.now()
  const stream = redactor.stream()
  const out = [stream.push(Buffer.from(decoys)), stream.push(Buffer.from('sk-0123456789abcdef'))]
  t.notMatch(Buffer.concat([...out, stream.flush()]).toString(), 'sk-0123456789abcdef')
  t.ok(performance.now() - start < 1_000)
})

import { Readable } from 'node:stream'
import t from 'tap'
import { isCallToolResult } from '@modelcontextprotocol/server'
import { resultOfReply } from '../../../gateway/mcp/results.ts'

const NAMES = { receipt: 'receipt', refused: 'refused' }
const PNG = Buffer.from('iVBORw0KGgo=', 'base64')

const resultOf = async (type: string, body: Buffer | string | null, status = 200) => {
  const headers = ['content-type', type, 'receipt', 'r-1']
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const result = await resultOfReply({ status, headers, body: bytes }, NAMES)
  t.ok(isCallToolResult(result), type)
  return result
}

const RECEIPT = { type: 'text', text: 'receipt: r-1' }

t.test('an answer keeps what it is', async (t) => {
  t.match(await resultOf('application/json', '{"a":[1]}'), {
    content: [{ type: 'text', text: '{"a":[1]}' }, RECEIPT],
    structuredContent: { a: [1] },
    _meta: { 'narrowgate/receipt': 'r-1', 'narrowgate/status': 200 },
  })
  const list = await resultOf('application/json', '[1, 2]')
  t.strictSame(list.content, [{ type: 'text', text: '[1,2]' }, RECEIPT])
  t.notOk('structuredContent' in list, 'a list is no structured content')
  const html = await resultOf('text/html', '<p>x</p>')
  t.strictSame(html.content, [{ type: 'text', text: '<p>x</p>' }, RECEIPT])
  t.strictSame((await resultOf('text/plain', null, 204)).content, [RECEIPT])
  const data = PNG.toString('base64')
  t.match((await resultOf('image/png', PNG)).content[0], {
    type: 'image',
    data,
    mimeType: 'image/png',
  })
  t.match((await resultOf('audio/wav', PNG)).content[0], { type: 'audio', data })
  t.match((await resultOf('application/zip', PNG)).content[0], {
    type: 'resource',
    resource: { uri: 'urn:narrowgate:receipt:r-1', blob: data, mimeType: 'application/zip' },
  })
  const like = await resultOf('application/json', '{"base64":"eA=="}')
  t.match(like, { structuredContent: { base64: 'eA==' }, content: [{ type: 'text' }] })
})

t.test('a number that no double holds stands in the text as it was', async (t) => {
  const { content } = await resultOf('application/json', '{"id":12345678901234567890}')
  t.strictSame(content[0], { type: 'text', text: '{"id":12345678901234567890}' })
  const bare = await resultOf('application/json', '12345678901234567890')
  t.strictSame(bare.content[0], { type: 'text', text: '12345678901234567890' })
  t.notOk('structuredContent' in bare)
})

t.test('what went wrong is an error, and says so at its end', async (t) => {
  const gone = await resultOf('application/json', '{"message":"gone"}', 410)
  t.match(gone, { isError: true, structuredContent: { message: 'gone' } })
  t.strictSame(gone.content.at(-1), {
    type: 'text',
    text: 'the upstream answered 410\nreceipt: r-1',
  })
})

t.test('an answer that is too large, or breaks off, names its receipt', async (t) => {
  const large = Readable.from([Buffer.alloc(5 * 2 ** 20, 0x20)])
  const headers = ['content-type', 'application/json', 'receipt', 'r-2']
  t.match(await resultOfReply({ status: 200, headers, body: large }, NAMES), {
    isError: true,
    structuredContent: { code: 'too_large', receipt: 'r-2' },
    _meta: { 'narrowgate/receipt': 'r-2' },
  })
  const broken = new Readable({ read: () => void broken.destroy(new Error('reset')) })
  t.match(await resultOfReply({ status: 200, headers, body: broken }, NAMES), {
    isError: true,
    structuredContent: { code: 'upstream_failed', receipt: 'r-2' },
  })
})

import t from 'tap'
import { createProjector, inputFormOf } from '../../../catalog/index.ts'
import { compiled, faultOf, project } from './project.ts'
import { openCursors } from './wants.ts'

const rows = '[{"id":1,"s":"a,\\"b\\"\\n","o":{"x":[1, 2]}},{"id":2.50,"s":null,"t":[1,2]}]'
const text = (...how: Parameters<typeof compiled>) =>
  project(rows, compiled(...how), { sizes: [3] }).text

t.test('first is one row, or null', async (t) => {
  t.equal(text({ select: ['id'], want: { shape: 'first' }, order: ['-id'] }), '{"id":2.50}')
  t.equal(text({ where: { id: 9 }, want: { shape: 'first' } }), 'null')
})

t.test('count is of all that passed', async (t) => {
  t.equal(text({ want: { shape: 'count' }, page: { limit: 1 } }), '{"count":2}')
})

t.test('ndjson is a row on each line, whatever the white space of the source', async (t) => {
  t.equal(
    project('[{"a":\n1},\r\n{"a":[\n2]}]', compiled({ want: { format: 'ndjson' } })).text,
    '{"a":1}\n{"a":[2]}\n',
  )
})

t.test('csv has the columns that select names, in their order', async (t) => {
  const want = { select: ['s', 'id', 'o', 't[]'], want: { format: 'csv' as const } }
  t.equal(text(want), 's,id,o,t[]\r\n"a,""b""\n",1,"{""x"":[1, 2]}",\r\n,2.50,,"[1,2]"\r\n')
  t.equal(text(want, { only: ['id'] }), 's,id,o,t[]\r\n,1,,\r\n,2.50,,\r\n')
  t.equal(createProjector(compiled(want), { maxBytes: 1, input: 'json' }).mediaType, 'text/csv')
})

t.test('lines stay lines, unless another form is asked for', async (t) => {
  const lines = '{"a":1,"b":2}\n\n{"a":3}\r\n'
  t.equal(
    project(lines, compiled({ select: ['a'] }), { input: 'ndjson', sizes: [1] }).text,
    '{"a":1}\n{"a":3}\n',
  )
  t.equal(
    project(lines, compiled({ select: ['a'], want: { format: 'json' } }), { input: 'ndjson' }).text,
    '[{"a":1},{"a":3}]',
  )
  for (const broken of ['{"a":\n1}', '{"a":1} {"a":2}', '{"a":1}\n{']) {
    const fault = faultOf(() => project(broken, compiled({}), { input: 'ndjson' }))
    t.equal(fault?.code, 'upstream_invalid', JSON.stringify(broken))
  }
})

t.test('the form of an answer goes by its media type', async (t) => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.github+json',
    'Text/JSON',
  ]) {
    t.equal(inputFormOf(type), 'json', type)
  }
  for (const type of ['application/x-ndjson', 'application/jsonl'])
    t.equal(inputFormOf(type), 'ndjson', type)
  for (const type of ['text/html', 'application/json-seq', 'text/event-stream', ''])
    t.equal(inputFormOf(type), undefined, type)
})

t.test('cursors of lines and tables are given at the end', async (t) => {
  const { end } = project(rows, compiled({ page: { limit: 1 }, want: { format: 'ndjson' } }))
  t.equal(openCursors.check(end.page!.next!)?.split(' ')[0], '1')
})

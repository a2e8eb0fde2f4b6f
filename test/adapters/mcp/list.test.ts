import { default as t } from 'tap'
import { listAll } from '../../../adapters/mcp/list.ts'

t.test('a list is read to its end', async (t) => {
  const asked: (string | undefined)[] = []
  const tools = await listAll(async (cursor) => {
    asked.push(cursor)
    const at = Number(cursor ?? 0)
    return { tools: [at], ...(at < 3 && { nextCursor: String(at + 1) }) }
  })
  t.strictSame(tools, [0, 1, 2, 3])
  t.strictSame(asked, [undefined, '1', '2', '3'])
})

t.test('a list without an end, and what is no list, are given up', async (t) => {
  let pages = 0
  const endless = () => listAll(async () => ({ tools: [], nextCursor: String(pages++) }))
  await t.rejects(endless(), { message: 'its list has more than 1000 pages' })
  t.equal(pages, 1000)
  const again = listAll(async (cursor) => ({ tools: [], nextCursor: cursor === 'a' ? 'b' : 'a' }))
  await t.rejects(again, { message: 'its list comes back to a page that it had' })
  const many = listAll(async () => ({ tools: Array.from({ length: 10_001 }) }))
  await t.rejects(many, { message: 'it lists more than 10000 tools' })
  const long = listAll(async () => ({ tools: ['x'.repeat(33_554_432)] }))
  await t.rejects(long, { message: 'its list has more than 33554432 characters' })
  for (const page of [null, {}, { tools: 'x' }, 'x'])
    await t.rejects(
      listAll(async () => page),
      { message: 'it does not list its tools' },
    )
})

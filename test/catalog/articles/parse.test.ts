import t from 'tap'
import { parseArticle } from '../../../catalog/index.ts'
import { EMPTY } from './_article.ts'

const SOURCE = { sha256: '0'.repeat(64), receipt: 'r-1', part: 'response' }

/** Paths of the problems that an article with these members has. */
function problems(members: object): readonly string[] {
  const parsed = parseArticle({ ...EMPTY, ...members })
  return parsed.ok ? [] : parsed.problems.map(({ path }) => path)
}

t.test('an article is frozen, and what is wrong is told by its path, all at once', async (t) => {
  const parsed = parseArticle({ ...EMPTY })
  t.ok(parsed.ok && Object.isFrozen(parsed.article))
  const { title: _, ...untitled } = EMPTY
  t.match(parseArticle(untitled), { problems: [{ path: 'title', got: 'nothing' }] })
  t.strictSame(problems({ colour: 1, kind: 'A', blocks: [{ type: 'text', text: 'x', size: 1 }] }), [
    'kind',
    'blocks[0].size',
    'colour',
  ])
  t.match(parseArticle({ ...EMPTY, colour: 1 }), { problems: [{ code: 'unknown_field' }] })
  t.strictSame(problems({ blocks: [{ type: 'video' }, 'x', {}] }), [
    'blocks[0].type',
    'blocks[1]',
    'blocks[2].type',
  ])
})

t.test('what only the parts together show', async (t) => {
  const table = (...cells: readonly string[]) => ({
    type: 'table',
    caption: 'c',
    columns: ['a', 'b'],
    rows: [['1', '2'], cells],
  })
  t.strictSame(problems({ blocks: [table('1', '2')] }), [])
  t.strictSame(problems({ blocks: [table('1')] }), ['blocks[0].rows[1]'])
  const quote = { type: 'quote', source: 0 }
  t.strictSame(problems({ blocks: [quote], sources: [{ ...SOURCE, quote: 'q' }] }), [])
  t.strictSame(problems({ blocks: [quote], sources: [SOURCE] }), ['blocks[0].source'])
  t.strictSame(problems({ blocks: [quote] }), ['blocks[0].source'])
  const facts = { a: { b: 1 } }
  t.strictSame(problems({ facts, blocks: [{ type: 'facts', names: ['a.b', 'a'] }] }), [])
  t.strictSame(problems({ facts, blocks: [{ type: 'facts', names: ['a.c', 'toString'] }] }), [
    'blocks[0].names[0]',
    'blocks[0].names[1]',
  ])
  const query = (more: object) => ({ type: 'ledger', query: { view: 'exchanges', ...more } })
  t.strictSame(problems({ blocks: [query({ where: { tool: 'A' } })] }), [])
  t.strictSame(problems({ blocks: [query({ where: { moon: 1 } })] }), [
    'blocks[0].query.where.moon',
  ])
  const plot = { type: 'ledger', plot: { view: 'exchanges', by: 'opened:day', figure: 'p95.moon' } }
  t.strictSame(problems({ blocks: [plot] }), ['blocks[0].plot'])
  t.strictSame(problems({ blocks: [{ ...plot, task: 'T-1' }] }), ['blocks[0]'])
})

t.test('how much an article may hold', async (t) => {
  const text = { type: 'text', text: 'x' }
  t.strictSame(problems({ blocks: Array(512).fill(text) }), [])
  t.strictSame(problems({ blocks: Array(513).fill(text) }), ['blocks'])
  const long = { type: 'text', text: 'x'.repeat(20_000) }
  t.strictSame(problems({ blocks: Array(13).fill(long) }), [])
  const large = parseArticle({ ...EMPTY, blocks: Array(14).fill(long) })
  t.match(large, { problems: [{ path: 'blocks', got: /^an article of 28\d{4} bytes$/ }] })
  const nested = (deep: number): unknown =>
    deep === 0 ? 'x' : { text: 'x', items: [nested(deep - 1)] }
  t.strictSame(problems({ blocks: [{ type: 'list', items: [nested(3)] }] }), [])
  const at = 'blocks[0].items[0].items[0].items[0].items[0]'
  t.strictSame(problems({ blocks: [{ type: 'list', items: [nested(4)] }] }), [at])
  t.strictSame(problems({ facts: { a: { b: { c: 1 } } } }), [])
  t.strictSame(problems({ facts: { a: { b: { c: { d: 1 } } } } }), ['facts.a.b.c'])
})

import t from 'tap'
import { genericTool, modelOf, pathBearing, type Tool } from '../../../catalog/index.ts'

const row: Tool = {
  name: 'A',
  summary: '',
  scheme: 'https',
  host: 'h',
  method: 'POST',
  path: '/',
  args: { properties: {} },
}

t.test('path-bearing arguments are found at any depth', async (t) => {
  t.strictSame(pathBearing(row, { path: '/a', q: 1 }), { kind: 'values', values: ['/a'] })
  const nested = pathBearing(row, {
    edits: [{ file: '/a' }, { file_path: ['/b', ['/c']] }],
    o: { deep: { cwd: 5 } },
  })
  t.equal(nested.kind, 'values')
  if (nested.kind === 'values') t.strictSame(new Set(nested.values), new Set(['/a', '/b', '/c', 5]))
  t.strictSame(
    pathBearing(row, { path: { file: '/a' } }),
    { kind: 'values', values: [{ file: '/a' }, '/a'] },
    'an object is no path, and is looked into',
  )
})

t.test('a row marks and unmarks names', async (t) => {
  const marked: Tool = { ...row, paths: { mark: ['target'], unmark: ['key'] } }
  t.strictSame(pathBearing(marked, { target: '/a', key: '/b' }), { kind: 'values', values: ['/a'] })
  t.strictSame(pathBearing(marked, { key: '/b' }), { kind: 'none' })
})

t.test('none, unknown and absent are told apart', async (t) => {
  t.strictSame(pathBearing(row, { q: 1 }), { kind: 'none' })
  t.strictSame(pathBearing(genericTool('GET'), {}), { kind: 'unknown' })
  const described: Tool = { ...row, args: { properties: { path: { in: 'query' } } } }
  t.strictSame(pathBearing(described, {}), { kind: 'values', values: [] })
})

t.test('nesting of any depth is looked through', async (t) => {
  let args: Record<string, unknown> = { path: '/deep' }
  for (let depth = 0; depth < 50_000; depth++) args = { a: [args] }
  t.strictSame(pathBearing(row, args), { kind: 'values', values: ['/deep'] })
})

t.test('the model is where the row says', async (t) => {
  const caller: Tool = { ...row, model: 'request.model' }
  t.strictSame(modelOf(caller, { request: { model: 'm-1' } }), { kind: 'values', values: ['m-1'] })
  t.strictSame(modelOf(caller, {}), { kind: 'values', values: [] })
  t.strictSame(modelOf(row, { model: 'm' }), { kind: 'none' })
  t.strictSame(modelOf(genericTool('POST'), {}), { kind: 'unknown' })
})

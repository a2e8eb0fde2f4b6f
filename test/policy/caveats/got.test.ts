import t from 'tap'
import { type Ask, parseCaveat } from '../../../policy/index.ts'
import { askOf } from '../support.ts'
import { withArg, withModels, withPaths } from './table.ts'

// What a refusal says that it got, and how it could be mended.

const SAYS: readonly (readonly [line: string, over: Partial<Ask>, got: string, repair: RegExp])[] =
  [
    ['tools = A', { tool: 'B' }, 'B', /include B$/],
    ['ways = mcp', { way: 'rest' }, 'rest', /^call through mcp, or ask .* include rest$/],
    ['expires < 2026-01-01T00:00:00Z', {}, '2026-11-29T00:00:00.000Z', /expires later$/],
    ['expires < 2026-01-01T00:00:00Z', { now: Infinity }, 'Infinity', /expires later$/],
    ['task = T-7', { task: 'T-8' }, 'T-8', /^name no task, T-7 or one below it$/],
    ['task = T-7', { task: '' }, 'an empty text', /./],
    ['person = p_1', {}, 'nobody signed in', /^sign in as p_1$/],
    ['person = p_1', { person: 'p_2' }, 'p_2', /^sign in as p_1$/],
    [
      'area = /src',
      { paths: { kind: 'unknown' } },
      'a call of which no paths are known',
      /catalog/,
    ],
    ['area = /src', withPaths(), 'no path', /^name 1 to 64 paths in \/src$/],
    ['area = /src', withPaths(...Array(65).keys()), '65 paths', /^name 1 to 64 paths/],
    ['area = /src,/x', withPaths('/src/a', '/etc'), '/etc', /in \/src or \/x, written plainly$/],
    ['area = /src', { runsCode: true }, 'a call that runs code', /confined to \/src$/],
    ['model = m*', { model: { kind: 'unknown' } }, 'a call of which no model is known', /catalog/],
    ['model = m*', withModels(), 'no model', /^name 1 to 64 models, each of them m\*$/],
    ['model = m*', withModels(...Array(65).keys()), '65 models', /^name 1 to 64 models/],
    ['model = m*,n', withModels('m', 'o'), 'o', /that is m\* or n$/],
    ['model = m*', withModels(['m', 'm']), 'a list of 2', /./],
    ['arg X.a = b', withArg('c'), 'c', /^send a value of X\.a that is `b`$/],
    ['arg X.a = b', { tool: 'X' }, 'nothing', /./],
    ['arg X.a = b', withArg(null), 'null', /./],
    ['arg X.a = b', withArg(5.5), '5.5', /./],
    ['arg X.a = b', withArg(false), 'false', /./],
    ['arg X.a = b', withArg({}), 'an object', /./],
    // A number that no double holds, as a body may have it.
    ['arg X.a = b', withArg({ [Symbol.toPrimitive]: () => '1e999' }), '1e999', /./],
    ['arg X.a = b', withArg(['b', 'c\n']), '"c\\n"', /./],
    ['arg X.a = b', withArg('c'.repeat(121)), `${'c'.repeat(120)}…`, /./],
    ['arg X.a = b', withArg('c'.repeat(120)), 'c'.repeat(120), /./],
    ['arg X.a = b', withArg(Array(65).fill('b')), 'more values than are looked at', /./],
    ['arg X.a <= 5', withArg(6), '6', /that is a number, at most 5$/],
    ['arg X.a >= 5', withArg(4), '4', /that is a number, at least 5$/],
  ]

for (const [line, over, got, repair] of SAYS) {
  const refusal = parseCaveat(line).clause.refuses(askOf(over))
  t.equal(refusal?.got, got, line)
  t.match(refusal?.repair, repair, line)
}

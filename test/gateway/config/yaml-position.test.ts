import t from 'tap'
import { badConfig } from './_config.ts'

t.test('broken YAML is told with line and column', async (t) => {
  t.strictSame(badConfig('listen:\n  proxy: [":3128"\nstate: x\n'), [
    {
      path: 'line 3, column 1',
      got: 'broken YAML (bad indent)',
      repair: 'correct the YAML there',
    },
  ])
})

t.test('aliases that would expand without bounds are refused', async (t) => {
  const bomb = Array.from({ length: 12 }, (_, i) =>
    i === 0
      ? 'a0: &a0 [x, x, x, x]'
      : `a${i}: &a${i} [*a${i - 1}, *a${i - 1}, *a${i - 1}, *a${i - 1}]`,
  ).join('\n')
  t.match(badConfig(bomb), [{ path: 'the file', repair: 'write the values out' }])
})

import t from 'tap'
import { parse } from 'yaml'
import { filesBelow, textOf } from './tree.ts'

interface RunnerSettings {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

// What takes long is left out of one script and named in the other: what neither runs would never be seen to fail.
t.test('what the tests leave out is run by the long ones, or by the check', async (t) => {
  const { include, exclude } = parse(textOf('.taprc')) as RunnerSettings
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const globsOf = (script: string) =>
    [...(scripts[script] ?? '').matchAll(/'(test[^']+)'/g)].map(([, glob]) => glob)
  t.same(include, ['test/**/*.test.ts'])
  t.strictSame(
    new Set(exclude.map((glob) => glob.replace(/\*\*$/, '*.test.ts'))),
    new Set([...globsOf('test:long'), ...globsOf('check')]),
  )
  const nested = ['test/long', 'test/rules']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /^test\/\w+\/.+\/.+\.test\.ts$/.test(path))
  t.same(nested, [], 'none of them is deeper than the scripts look')
})

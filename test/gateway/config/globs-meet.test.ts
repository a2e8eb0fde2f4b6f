import fc from 'fast-check'
import t from 'tap'
import { globsMeet } from '../../../gateway/config/check/globs.ts'

const RUNS = Math.ceil(2000 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1))

t.test('examples', async (t) => {
  t.ok(globsMeet('/repos/*/issues', '/repos/me/*'))
  t.ok(globsMeet('*', ''))
  t.ok(globsMeet('/a*b', '/a*c*b'))
  t.notOk(globsMeet('/v1/*', '/v2/*'))
  t.notOk(globsMeet('/a', '/a/*'))
  t.notOk(globsMeet('*b', '*c'))
})

t.test('two globs meet exactly where some short text matches both', async (t) => {
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 })
  // Long enough: a shortest common text has at most the literals of both globs.
  const texts = allTexts(8)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(glob, glob, (one, other) => {
        const [first, second] = [toRegExp(one), toRegExp(other)]
        return globsMeet(one, other) === texts.some((text) => first.test(text) && second.test(text))
      }),
      { numRuns: RUNS },
    ),
  )
})

function toRegExp(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll('*', '.*')}$`)
}

function allTexts(longest: number): readonly string[] {
  const texts = ['']
  for (let i = 0; i < texts.length && (texts[i]?.length ?? 0) < longest; i += 1) {
    texts.push(`${texts[i]}a`, `${texts[i]}b`)
  }
  return texts
}

import { posix } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { canonicalPath } from '../../policy/paths.ts'
import { RUNS_FACTOR } from './support.ts'

void t.test('absolute paths are resolved as POSIX does, once and for all', async (t) => {
  const part = fc.constantFrom('a', 'b', '..', '.', '', '...', ' ', '日')
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = `/${parts.join('/')}`
        const canonical = canonicalPath(path)
        return canonical === posix.resolve(path) && canonicalPath(canonical) === canonical
      }),
      { numRuns: 2000 * RUNS_FACTOR },
    ),
  )
})

void t.test('no relative path leaves its start', async (t) => {
  const part = fc.constantFrom('a', 'b', '..', '.')
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const resolved = posix.normalize(parts.join('/')).replace(/\/$/, '')
        const leaves = resolved === '.' || resolved.startsWith('..')
        // A path that leaves its start and comes back names what lies there, which is unknown.
        let depth = 0
        const left = parts.some((name) => {
          if (name === '..') depth--
          else if (name !== '.') depth++
          return depth < 0
        })
        return canonicalPath(parts.join('/')) === (leaves || left ? undefined : resolved)
      }),
      { numRuns: 2000 * RUNS_FACTOR },
    ),
  )
})

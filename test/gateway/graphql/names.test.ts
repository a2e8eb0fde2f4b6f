import fc from 'fast-check'
import t from 'tap'
import { mapNames } from '../../../gateway/graphql/names.ts'

const TAKEN = ['_select', '_want']
const namesOf = (names: readonly string[]) => mapNames(names, TAKEN).map(({ name }) => name)

t.test('a name that GraphQL allows stays, any other is spelled in its signs', async (t) => {
  t.strictSame(namesOf(['owner', 'per-page', '2fa', '__type', '', 'größe', '$filter']), [
    'owner',
    'per_page',
    'x_2fa',
    'x___type',
    'x_',
    'gr__e',
    '_filter',
  ])
  t.strictSame(namesOf(['if-match', 'if_match', 'if.match']), [
    'if_match_2',
    'if_match',
    'if_match_3',
  ])
  t.strictSame(namesOf(['_select', '$select']), ['_select_2', '_select_3'])
})

const anyName = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('a', '_', '-', '2', '.') }),
  fc.constantFrom('_select', '_want', '_select_2', 'a_2', 'toString', '__proto__'),
)

t.test('names are allowed, differ, and go back', async () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyName), (names) => {
      const mapped = mapNames(names, TAKEN)
      const found = mapped.map(({ name }) => name)
      return (
        found.every((name) => /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(name)) &&
        new Set([...found, ...TAKEN]).size === names.length + TAKEN.length &&
        mapped.every(({ own }, at) => own === names[at])
      )
    }),
  )
})

import type { Axis } from '../axis.ts'
import { PERSON } from '../cedar/attributes.ts'
import { quote } from '../cedar/text.ts'
import { readId } from '../lists.ts'
import { isName, show } from '../text.ts'

/** Who must be signed in. */
export const person: Axis = {
  name: 'person',
  ops: ['='],
  value: 'a person’s id',
  says: 'the signed-in person is this one',
  example: 'person = p_k2x9qa',
  read({ value }) {
    const fault = readId(value)
    if (fault !== undefined) return fault
    return {
      words: `only while ${value} is signed in`,
      refuses(ask) {
        if (isName(ask.person) && ask.person === value) return undefined
        return {
          code: 'person_mismatch',
          got: ask.person === undefined ? 'nobody signed in' : show(ask.person),
          repair: `sign in as ${value}`,
        }
      },
      cedar: {
        attributes: [PERSON],
        condition: ({ at, has }) => `${has(PERSON.key)} && ${at(PERSON.key)} == ${quote(value)}`,
      },
    }
  },
}

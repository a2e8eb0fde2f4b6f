import { opsOfRows } from './rows.ts'

/** The person who is signed in, with the names of their own upstream keys: of others a holder reads nothing. */
export const PEOPLE = opsOfRows(async (knock, around) => {
  const { person } = await around.standing(knock)
  const found = person === undefined ? undefined : await around.persons.get(person)
  return found === undefined ? [] : [found]
})

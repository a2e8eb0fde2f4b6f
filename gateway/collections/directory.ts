import { opsOfRows } from './rows.ts'

/** The rows of the catalog that the token could call through this door. */
export const DIRECTORY = opsOfRows(async (knock, around) =>
  around.callable(await around.standing(knock), knock.door),
)

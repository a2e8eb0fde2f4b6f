import { holderOf } from '../articles/viewer.ts'
import { checkWay } from '../standing.ts'
import { opsOfRows } from './rows.ts'

/** Articles that are published, for tokens with the way `proof`, as their own door has it. */
export const ARTICLES = opsOfRows(async (knock, around) => {
  const standing = await around.standing(knock)
  checkWay(standing, 'proof')
  const { reads } = holderOf(standing)
  return (await around.articles.list()).filter(reads)
})

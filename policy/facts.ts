import type { Caveat } from './caveat.ts'
import type { TokenContent } from './token.ts'
import type { UseLimit } from './uses.ts'

type Facts = Pick<TokenContent, 'task' | 'expires' | 'uses' | 'keysOf' | 'delegable'>

/** What the lines of a token say together; link k+1 is that of line k. */
export function factsOf(caveats: readonly Caveat[], links: readonly string[]): Facts {
  const uses: UseLimit[] = []
  const facts: { -readonly [Name in keyof Facts]: Facts[Name] } = { uses, delegable: true }
  for (const [index, { clause }] of caveats.entries()) {
    const { expires, uses: limit, task, keysOf, delegable } = clause.facts ?? {}
    const link = links[index + 1]
    if (limit !== undefined && link !== undefined)
      uses.push(countedLine(link, limit, facts.expires))
    if (expires !== undefined) facts.expires = Math.min(expires, facts.expires ?? expires)
    // Lines only go deeper, so the last task is the deepest.
    if (task !== undefined) facts.task = task
    if (keysOf !== undefined) facts.keysOf = keysOf
    if (delegable === false) facts.delegable = false
  }
  return facts
}

/** `expires` is the earliest of the lines before this one: those hold for every token that shares the counter. */
function countedLine(link: string, limit: number, expires: number | undefined): UseLimit {
  return { link, limit, ...(expires === undefined ? {} : { expires }) }
}

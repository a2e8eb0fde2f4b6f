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
    if (expires !== undefined) facts.expires = Math.min(expires, facts.expires ?? expires)
    if (limit !== undefined && link !== undefined) uses.push({ link, limit })
    // Lines only go deeper, so the last task is the deepest.
    if (task !== undefined) facts.task = task
    if (keysOf !== undefined) facts.keysOf = keysOf
    if (delegable === false) facts.delegable = false
  }
  return facts
}

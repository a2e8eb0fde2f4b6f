import type { KnownGrant } from '../../../adapters/grants/port.ts'
import { parseCaveat, TokenFault } from '../../../policy/index.ts'
import { badge, type Mood } from '../../pages/parts.ts'
import type { Markup } from '../../pages/html.ts'

/** What became of a grant by now. */
export type GrantState = 'live' | 'expired' | 'revoked'

const MOODS: Readonly<Record<GrantState, Mood>> = { live: 'good', expired: 'plain', revoked: 'bad' }

export function stateOf(
  { lines, leash, revoked }: Pick<KnownGrant, 'lines' | 'leash' | 'revoked'>,
  now: number,
): GrantState {
  if (revoked !== undefined) return 'revoked'
  return now >= (endOf([...lines, ...leash]) ?? Infinity) ? 'expired' : 'live'
}

export function stateBadge(state: GrantState): Markup {
  return badge(MOODS[state], state)
}

/** When the first of the lines ends all calls, in milliseconds since the epoch; undefined where none does. */
export function endOf(lines: readonly string[]): number | undefined {
  const ends = lines.flatMap((line) => expiryOf(line) ?? [])
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** A line that this version cannot read, another one may have written. */
function expiryOf(line: string): number | undefined {
  try {
    return parseCaveat(line).clause.facts?.expires
  } catch (error) {
    if (error instanceof TokenFault) return undefined
    throw error
  }
}

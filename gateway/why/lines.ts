import { explainCaveat, type UseLimit, type VerifiedToken } from '../../policy/index.ts'
import type { RefusalReason } from '../refusal.ts'

/** What becomes of one line in a call. */
export interface LineVerdict {
  readonly line: string
  /** In plain words. */
  readonly says: string
  /** Set where the line stands in no token: an owner put it on the grant afterwards. */
  readonly leash?: true
  /** `unjudged` where the call was refused before anybody asked for the line. */
  readonly verdict: 'holds' | 'refuses' | 'unjudged'
  readonly got?: string
  readonly repair?: string
  /** Of a `uses` line: calls that were let through so far. */
  readonly used?: number
}

export interface JudgedLines {
  /** With its leash. */
  readonly token: VerifiedToken
  /** What the lines have against the call, in their order. */
  readonly reasons: readonly RefusalReason[]
  /** Whether all lines were asked, or only those that look at no argument. */
  readonly complete: boolean
  readonly used: ReadonlyMap<string, number>
}

/** A verdict for every line, in order. */
export function lineVerdicts({
  token,
  reasons,
  complete,
  used,
}: JudgedLines): readonly LineVerdict[] {
  const against = [...reasons]
  const counters = [...token.uses]
  return token.caveats.map((caveat): LineVerdict => {
    const { axis, line, leash } = caveat
    const base = { line, says: explainCaveat(caveat), ...(leash === undefined ? {} : { leash }) }
    if (axis === 'uses') return { ...base, ...useVerdict(counters.shift(), used) }
    const [reason] = against
    if (reason === undefined || !isOf(reason, caveat))
      return { ...base, verdict: complete ? 'holds' : 'unjudged' }
    against.shift()
    return { ...base, verdict: 'refuses', got: reason.got, repair: reason.repair }
  })
}

function isOf(
  reason: RefusalReason,
  { axis, line, leash }: VerifiedToken['caveats'][number],
): boolean {
  return reason.axis === axis && reason.caveat === line && reason.leash === leash
}

function useVerdict(
  counter: UseLimit | undefined,
  counts: ReadonlyMap<string, number>,
): Pick<LineVerdict, 'verdict' | 'used' | 'got' | 'repair'> {
  if (counter === undefined) return { verdict: 'unjudged' }
  const used = counts.get(counter.link) ?? 0
  if (used < counter.limit) return { verdict: 'holds', used }
  const repair = 'ask for a token with more uses'
  return { verdict: 'refuses', used, got: `${used} used`, repair }
}

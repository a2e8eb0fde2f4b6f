import type { Ask, Reason, VerifiedToken } from '../policy/index.ts'

/** Stands for a call where none is asked about. */
export const NO_CALL = {
  target: '',
  tool: '',
  way: 'rest',
  args: {},
  paths: { kind: 'none' },
  model: { kind: 'none' },
  runsCode: false,
} as const satisfies Omit<Ask, 'now'>

/** What the lines of a token on these axes have against a call. */
export function reasonsAgainst(
  { caveats }: VerifiedToken,
  axes: readonly string[],
  ask: Ask,
): readonly Reason[] {
  return caveats.flatMap(({ axis, line, clause, leash }): readonly Reason[] => {
    const refused = axes.includes(axis) ? clause.refuses(ask) : undefined
    return refused === undefined
      ? []
      : [{ axis, caveat: line, ...(leash && { leash }), ...refused }]
  })
}

/** The lines that say who may hold a token, and for how long; the others are about calls. */
const OF_HOLDERS: readonly string[] = ['expires', 'person']

/** What the lines about holders have against this one at this time. */
export function reasonsAgainstHolder(
  judged: VerifiedToken,
  person: string | undefined,
  now: number,
): readonly Reason[] {
  const ask: Ask = { ...NO_CALL, now, ...(person !== undefined && { person }) }
  return reasonsAgainst(judged, OF_HOLDERS, ask)
}

import type { Ask } from './ask.ts'
import type { Caveat } from './caveat.ts'
import type { Verdict } from './cedar/engine.ts'
import type { Reading, SecondOpinion } from './cedar/second-opinion.ts'
import type { Reason } from './reasons.ts'

/** The verdict of a token's lines over one call. */
export interface Judgement {
  readonly allow: boolean
  /** All reasons, in the order of the lines; none where the call is allowed. */
  readonly reasons: readonly Reason[]
  /** True where the two engines did not agree; such a call is refused. */
  readonly disagreement: boolean
}

/** Judges the lines in both engines: both must allow. */
export function judgeLines(
  caveats: readonly Caveat[],
  ask: Ask,
  secondOpinion: SecondOpinion,
  reading?: Reading,
): Judgement {
  const reasons = refusals(caveats, ask)
  const allowed = reasons.length === 0
  const verdict = secondOpinion(caveats, ask, reading)
  // A refusal that Cedar could not confirm for lack of an answer is a refusal all the same.
  const disagreement = allowed ? verdict !== 'allow' : verdict === 'allow'
  if (disagreement) reasons.push(disagreed(verdict))
  return { allow: reasons.length === 0, reasons, disagreement }
}

/** What the native predicates say against the call. */
export function refusals(caveats: readonly Caveat[], ask: Ask): Reason[] {
  const reasons: Reason[] = []
  for (const { axis, line, clause, leash } of caveats) {
    const refusal = clause.refuses(ask)
    if (refusal === undefined) continue
    reasons.push({ ...refusal, axis, caveat: line, ...(leash === undefined ? {} : { leash }) })
  }
  return reasons
}

const SECOND: Readonly<Record<Verdict, string>> = {
  allow: 'a line refuses and Cedar allows',
  deny: 'every line holds and Cedar refuses',
  fault: 'every line holds and Cedar gives no verdict',
}

function disagreed(verdict: Verdict): Reason {
  return {
    code: 'policy_disagreement',
    axis: 'cedar',
    caveat: '',
    got: SECOND[verdict],
    repair: 'tell the operator: this is a defect of the gateway, and the call was not let through',
  }
}

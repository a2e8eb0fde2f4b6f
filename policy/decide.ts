import type { Ask } from './ask.ts'
import { type CedarEngine, createCedarEngine } from './cedar/engine.ts'
import { createSecondOpinion, type Reading } from './cedar/second-opinion.ts'
import { type Judgement, judgeLines } from './judge.ts'
import type { Reason } from './reasons.ts'
import { type Revocations, revokedBy } from './revocation.ts'
import type { VerifiedToken } from './token.ts'
import type { Reservation, SpentLimit, UseCounters } from './uses.ts'

declare const permitted: unique symbol

/** Leave for one call to one target. Only `decide` makes one, and the upstream asks for it. */
export interface Permit {
  readonly [permitted]: true
  readonly target: string
  readonly tool: string
  /** The grant's id. */
  readonly grant: string
  /** The last link of the token's chain. */
  readonly link: string
  /** From when on an open tunnel or stream must end, in milliseconds since the epoch. */
  readonly expires?: number
}

export type Decision =
  | {
      readonly allow: true
      readonly permit: Permit
      /** To be given back where the call is proven unsent; undefined where no line counts uses. */
      readonly reservation: Reservation | undefined
    }
  | { readonly allow: false; readonly reasons: readonly Reason[] }

/** What a decision needs of the world; each of them may throw, and then nothing is allowed. */
export interface DecisionPorts {
  readonly uses: UseCounters
  readonly revocations: Revocations
  /** What else stands against the call, over all tokens: the operator's guardrails. */
  readonly guard?: () => readonly Reason[]
  /** Asked before lines are read anew; it may throw too. */
  readonly reading?: Reading | undefined
}

export interface DeciderOptions {
  /** The second engine; by default one that cannot be rebuilt. */
  readonly cedar?: CedarEngine
  readonly metrics?: { disagreement(): void }
}

export interface Decider {
  /** The verdict of the lines alone: revocations are not asked and no use is taken. */
  judge(token: VerifiedToken, ask: Ask): Judgement
  /** Revocation, every line in both engines, what else stands against it, then the uses, taken only if all else allows. */
  decide(token: VerifiedToken, ask: Ask, ports: DecisionPorts): Promise<Decision>
  /** @throws Error where the Cedar engine gives a wrong answer or none */
  selfTest(): void
}

/** Makes what decides; one for the process, since it remembers Cedar's verdicts. */
export function createDecider(options: DeciderOptions = {}): Decider {
  const { cedar = createCedarEngine(), metrics } = options
  const secondOpinion = createSecondOpinion(cedar)

  function judge(token: VerifiedToken, ask: Ask, reading?: Reading): Judgement {
    const judgement = judgeLines(token.caveats, ask, secondOpinion, reading)
    if (judgement.disagreement) metrics?.disagreement()
    return judgement
  }

  return {
    judge: (token, ask) => judge(token, ask),
    async decide(token, ask, { uses, revocations, guard, reading }) {
      const revoked = revocations.revoked(token.id, token.links)
      if (revoked !== undefined) return { allow: false, reasons: [revokedBy(revoked)] }
      const reasons = [...judge(token, ask, reading).reasons, ...(guard?.() ?? [])]
      if (reasons.length > 0) return { allow: false, reasons }
      const permit = permitFor(token, ask)
      if (token.uses.length === 0) return { allow: true, permit, reservation: undefined }
      const answer = await uses.reserve(token.uses)
      if (!answer.ok)
        return { allow: false, reasons: answer.spent.map((spent) => spentUp(spent, token)) }
      return { allow: true, permit, reservation: answer.reservation }
    },
    selfTest: () => cedar.selfTest(),
  }
}

function permitFor(token: VerifiedToken, ask: Ask): Permit {
  const { target, tool } = ask
  const { id: grant, link, expires } = token
  const permit = { target, tool, grant, link, ...(expires === undefined ? {} : { expires }) }
  return Object.freeze(permit) as Permit
}

function spentUp({ link, limit, used }: SpentLimit, { links }: VerifiedToken): Reason {
  return {
    code: 'uses_spent',
    axis: 'uses',
    caveat: `uses <= ${limit}`,
    ...(links.includes(link) ? {} : { leash: true }),
    got: `${used} used`,
    repair: 'ask for a token with more uses',
  }
}

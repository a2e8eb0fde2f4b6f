import type { Permit, Reason, VerifiedToken } from '../../policy/index.ts'
import type { Call } from '../call.ts'
import { guardedCall } from '../guardrails.ts'
import { checkStands, leashed, upToDate } from '../leash.ts'
import type { Notes } from '../notes.ts'
import type { JudgingPorts } from '../ports.ts'
import { Refusal, refusalOfReasons } from '../refusal.ts'

/** Asks policy. What it gives is the only leave to call the upstream, for this very target. */
export async function decideCall(
  token: VerifiedToken,
  call: Call,
  notes: Notes,
  ports: JudgingPorts,
): Promise<Permit> {
  await upToDate(ports)
  checkStands(token, ports)
  // Anew, since a body may have been waited for.
  const judged = leashed(token, ports)
  const against = () => guardrailsAgainst(judged, call, notes)
  const enforced = notes.snapshot.config.guardrails.mode === 'enforce'
  const { uses, revocations } = ports
  const decision = await ports.decider
    .decide(judged, call.ask, {
      uses,
      revocations,
      reading: notes.reading,
      ...(enforced ? { guard: against } : {}),
    })
    .catch(countersFailed)
  if (!decision.allow) throw refusalOfReasons(decision.reasons)
  if (decision.reservation !== undefined) notes.reservation = decision.reservation
  if (!enforced) noteShadowed(against(), notes, ports)
  notes.judged = judged
  return decision.permit
}

/** Why the operator's guardrails forbid the call; none where they let it pass. */
function guardrailsAgainst(
  grant: VerifiedToken,
  { ask, tool }: Call,
  { knock: { method, origin, path }, snapshot }: Notes,
): readonly Reason[] {
  return snapshot.guard.against(guardedCall({ grant, ask, tool, method, origin, path }))
}

/** In shadow mode nothing is refused: what would have been is recorded and counted. */
function noteShadowed(reasons: readonly Reason[], notes: Notes, { metrics }: JudgingPorts): void {
  if (reasons.length === 0) return
  notes.shadowed = reasons
  metrics.shadowed()
}

/** Where uses cannot be counted, no call that counts is let through; what may have been taken stays spent. */
function countersFailed(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'uses_unavailable')) throw error
  const repair = 'check the store of grants (narrowgate doctor), then try again'
  throw new Refusal('not_ready', [{ axis: 'uses', got: error.message, repair }], { retryAfter: 2 })
}

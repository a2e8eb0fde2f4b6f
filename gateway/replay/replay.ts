import {
  absoluteTarget,
  genericTool,
  requestTarget,
  type AbsoluteTarget,
  type Tool,
} from '../../catalog/index.ts'
import {
  createCedarEngine,
  createDecider,
  createGuard,
  type Ask,
  type Decider,
  type Guard,
  type Reason,
} from '../../policy/index.ts'
import { bearingsOf } from '../bearings.ts'
import { resolveUpstream, type Config } from '../config/index.ts'
import { guardedCall } from '../guardrails.ts'
import { refusalOfReasons, type RefusalReason } from '../refusal.ts'
import type { Expectation, Fixtures, Verdict } from './fixtures.ts'
import type { RecordedCall, RecordedReceipt } from './receipts.ts'

/** What becomes of one receipt under the policy that is tried. */
export interface Replayed {
  readonly receipt: string
  readonly tool: string
  readonly method: string
  readonly url: string
  readonly before: Verdict
  readonly after: Verdict
  /** Of a refusal that is new or has another code. */
  readonly reasons: readonly RefusalReason[]
}

export interface ReplayReport {
  readonly replayed: readonly Replayed[]
  /** Ids of receipts of calls on which no policy was asked. */
  readonly skipped: readonly string[]
  /** Expectations that do not hold, each with what became of the receipt. */
  readonly broken: readonly (Expectation & { readonly got: Verdict | undefined })[]
}

/** What lines and guardrails refuse with; all other refusals have causes that no policy takes away. */
const BY_POLICY: ReadonlySet<string> = new Set([
  'tool_not_granted',
  'way_not_granted',
  'expired',
  'task_mismatch',
  'area_outside',
  'arg_refused',
  'person_mismatch',
  'model_not_granted',
  'policy_disagreement',
  'guardrail',
])

/** Failures that came before the decision. */
const UNDECIDED: ReadonlySet<string> = new Set(['not_ready', 'revocation_unavailable'])

interface Judge {
  readonly fixtures: Fixtures
  readonly config: Config
  readonly decider: Decider
  readonly guard: Guard
}

/**
 * Judges recorded calls anew, by what their receipts say of them and at the time at which they were made. `uses` lines
 * hold: what other calls would have spent is not known.
 */
export function replay(fixtures: Fixtures, config: Config): ReplayReport {
  const cedar = createCedarEngine()
  const { mode, guardrails } = config.guardrails
  const inForce = mode === 'enforce' ? guardrails : []
  const guard = createGuard(fixtures.guardrails ?? inForce, cedar)
  const judge = { fixtures, config, decider: createDecider({ cedar }), guard }
  const replayed = fixtures.receipts.flatMap((receipt) => replayOne(receipt, judge) ?? [])
  const after = new Map(replayed.map((one) => [one.receipt, one.after]))
  return {
    replayed,
    skipped: fixtures.receipts.map(({ id }) => id).filter((id) => !after.has(id)),
    broken: fixtures.expect
      .map((expected) => ({ ...expected, got: after.get(expected.receipt) }))
      .filter(({ is, got }) => is !== got),
  }
}

function replayOne(receipt: RecordedReceipt, judge: Judge): Replayed | undefined {
  const { id, method, url, call, code } = receipt
  const target = targetOf(receipt)
  if (call === undefined || target === undefined || UNDECIDED.has(code ?? '')) return undefined
  const before: Verdict = receipt.outcome === 'refused' ? (code ?? 'internal_error') : 'allowed'
  const base = { receipt: id, tool: call.tool, method, url, before }
  const kept: Replayed = { ...base, after: before, reasons: [] }
  if (before !== 'allowed' && !isOpen(receipt, judge.fixtures)) return kept
  const reasons = against(receipt, { call, target }, judge)
  if (reasons.length === 0) return { ...base, after: 'allowed', reasons: [] }
  const refused = refusalOfReasons(reasons)
  return { ...base, after: refused.code, reasons: refused.code === before ? [] : refused.reasons }
}

/** Whether a refusal could fall with what is tried: one by the lines stands as long as the lines do. */
function isOpen({ code, axes }: RecordedReceipt, { token }: Fixtures): boolean {
  if (!BY_POLICY.has(code ?? '')) return false
  return token !== undefined || axes.every((axis) => axis === 'guardrail')
}

interface Asked {
  readonly call: RecordedCall
  readonly target: AbsoluteTarget
}

function against(receipt: RecordedReceipt, asked: Asked, judge: Judge): readonly Reason[] {
  const { call, target } = asked
  const { grant: id, task, method } = receipt
  const { token } = judge.fixtures
  // A row that is gone from the catalog is one of which nothing is known.
  const tool = judge.config.catalog.find(({ name }) => name === call.tool) ?? genericTool(method)
  const ask = askOf(receipt, { ...asked, tool }, judge.config)
  const path = method === 'CONNECT' ? '' : target.path
  const grant = { id, task, keysOf: token?.keysOf }
  const ofLines = token === undefined ? [] : judge.decider.judge(token, ask).reasons
  const guarded = guardedCall({ grant, ask, tool, method, origin: target, path })
  return [...ofLines, ...judge.guard.against(guarded)]
}

function askOf(
  { opened, door, person, method }: RecordedReceipt,
  { call, target, tool }: Asked & { readonly tool: Tool },
  config: Config,
): Ask {
  const bears = resolveUpstream({ config, secrets: new Map() }, target)?.bears ?? BEARS_ANYTHING
  return {
    target: requestTarget(method, target, target.path),
    tool: call.tool,
    way: door,
    now: opened,
    ...(person === undefined ? {} : { person }),
    args: call.args,
    ...bearingsOf(tool, call.args, bears),
  }
}

const BEARS_ANYTHING = { area: true, model: true }

function targetOf({ url }: RecordedReceipt): AbsoluteTarget | undefined {
  const target = absoluteTarget(url)
  return target.ok ? target : undefined
}

import { cedarOf, type CedarText, type Reason, type VerifiedToken } from '../../policy/index.ts'
import type { ErrorCode } from '../errors.ts'
import { judgeKnock } from '../exchange.ts'
import { understand } from '../failure.ts'
import type { Knock } from '../knock.ts'
import { leashed } from '../leash.ts'
import { openNotes, type Notes } from '../notes.ts'
import type { JudgingPorts } from '../ports.ts'
import type { RefusalReason } from '../refusal.ts'
import { readEnvelope } from '../stages/envelope.ts'
import { lineVerdicts, type LineVerdict } from './lines.ts'
import { peekingAt } from './peek.ts'
import { knockOf, type Question } from './question.ts'

/** The decision on a call that is not made. */
export interface Explanation {
  readonly allowed: boolean
  /** Of the refusal, as the call itself would get it. */
  readonly code?: ErrorCode
  readonly status?: number
  readonly reasons: readonly RefusalReason[]
  /** What guardrails in shadow mode would refuse the call for. */
  readonly would_refuse?: readonly Reason[]
  readonly grant?: string
  readonly link?: string
  readonly tool?: string
  readonly args?: Readonly<Record<string, unknown>>
  /** Every line of the token and of its leash; empty where the token does not verify. */
  readonly lines: readonly LineVerdict[]
  /** The lines as the second engine gets them, where they were asked for. */
  readonly cedar?: CedarText
}

/**
 * Judges a call by the way that it would take itself, and stops where it would be made: no use is taken, nothing is
 * recorded or counted, no upstream is touched.
 */
export async function explain(question: Question, ports: JudgingPorts): Promise<Explanation> {
  const knock = knockOf(question, ports.snapshot())
  const { verdict, notes, ports: dry } = await judgeDry(knock, ports)
  const token = tokenOf(notes, dry)
  if (token === undefined) return { ...verdict, lines: [] }
  const refused = await reasonsOf(verdict, notes, dry)
  return {
    ...verdict,
    ...(await knownOf({ notes, token }, refused, dry)),
    ...(question.cedar === true ? { cedar: cedarOf(token.caveats) } : {}),
  }
}

/** Whether a call is allowed, and if not, what is against it. */
type Verdict = Pick<Explanation, 'allowed' | 'code' | 'status' | 'reasons'>

/** What came of judging, and what was found out on the way. */
export interface DryJudgement {
  readonly verdict: Verdict
  readonly notes: Notes
  /** The ports that take and count nothing. */
  readonly ports: JudgingPorts
}

/** Told whose call it is as soon as that is known. */
type Entered = (token: VerifiedToken, notes: Notes) => void

/** Judges a knock and does nothing else with it. It never rejects. */
export async function judgeDry(
  knock: Knock,
  ports: JudgingPorts,
  entered: Entered = () => {},
): Promise<DryJudgement> {
  const dry: JudgingPorts = {
    ...ports,
    uses: peekingAt(ports.uses),
    metrics: { shadowed() {} },
  }
  const notes = openNotes(knock, dry)
  const verdict = await decide(notes, dry, (token) => entered(token, notes))
  return { verdict, notes, ports: dry }
}

async function decide(
  notes: Notes,
  ports: JudgingPorts,
  enter: (token: VerifiedToken) => void,
): Promise<Verdict> {
  try {
    await judgeKnock(notes, ports, enter)
    return { allowed: true, reasons: [] }
  } catch (error) {
    const { code, status, reasons } = understand(error, notes.id, ports.log).refused
    return { allowed: false, code, status, reasons }
  }
}

/** A dead token's call was refused unread: what the lines have against it is worth knowing all the same. */
async function reasonsOf(
  { code, reasons }: Verdict,
  notes: Notes,
  ports: JudgingPorts,
): Promise<readonly RefusalReason[]> {
  if (code !== 'revoked' || notes.token === undefined || notes.call !== undefined) return reasons
  try {
    await readEnvelope(notes, notes.token, ports)
    return reasons
  } catch (error) {
    return understand(error, notes.id, ports.log).refused.reasons
  }
}

interface Known {
  readonly notes: Notes
  /** With its leash. */
  readonly token: VerifiedToken
}

/** What was found out on the way, as far as it led. */
async function knownOf(
  { notes: { call, shadowed }, token }: Known,
  refused: readonly RefusalReason[],
  ports: JudgingPorts,
): Promise<Omit<Explanation, keyof Verdict>> {
  const used = await ports.uses.read(token.uses.map(({ link }) => link))
  // Where there is no call, those lines alone were asked that look at no argument, if any was.
  const reasons = call === undefined ? refused : ports.decider.judge(token, call.ask).reasons
  return {
    grant: token.id,
    link: token.link,
    ...(call === undefined ? {} : { tool: call.tool.name, args: call.ask.args }),
    ...(shadowed === undefined ? {} : { would_refuse: shadowed }),
    lines: lineVerdicts({ token, reasons, complete: call !== undefined, used }),
  }
}

function tokenOf(notes: Notes, ports: JudgingPorts): VerifiedToken | undefined {
  if (notes.judged !== undefined || notes.token === undefined) return notes.judged
  try {
    return leashed(notes.token, ports)
  } catch {
    // The refusal says why; the token's own lines are known all the same.
    return notes.token
  }
}

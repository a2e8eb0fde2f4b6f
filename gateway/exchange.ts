import type { Permit, VerifiedToken } from '../policy/index.ts'
import type { Call } from './call.ts'
import { createEnding, refusalOfCut } from './ending.ts'
import { understand, type Failure } from './failure.ts'
import type { Flood } from './flood.ts'
import type { GrantLimits } from './grant-limits.ts'
import type { Exchange, Knock, Reply } from './knock.ts'
import { checkAlive, upToDate } from './leash.ts'
import { lap, openNotes, type Notes } from './notes.ts'
import type { OpenExchanges } from './open.ts'
import type { Outcome } from './outcome.ts'
import type { JudgingPorts, Ports } from './ports.ts'
import { Refusal, refusal } from './refusal.ts'
import type { ReadingBudget } from './reading-budget.ts'
import { refusalReply } from './reply.ts'
import { decideCall } from './stages/decide.ts'
import { readEnvelope } from './stages/envelope.ts'
import { armRequest } from './stages/keys.ts'
import { readPerson } from './stages/person.ts'
import { projectAnswer } from './stages/projection.ts'
import { closeReceipt, ledgerRefusal, openReceipt } from './stages/receipt.ts'
import { noCredential, readToken } from './stages/token.ts'
import { askAgain, hasWaited } from './still.ts'
import { sendUpstream } from './stages/upstream.ts'

/** What an exchange leans on besides the ports: what is under way, and what comes in masses. */
export interface Keepers {
  readonly open: OpenExchanges
  readonly flood: Flood
  readonly grants: GrantLimits
  readonly readings: ReadingBudget
}

/**
 * The way of a call, top to bottom:
 *
 *     door → token → envelope → policy → keys → upstream → projection → receipt → ledger
 *
 * It never rejects: a refusal, an upstream's fault and a hang-up all become a Reply and a receipt.
 */
export function createExchange(ports: Ports, { open, flood, grants, readings }: Keepers): Exchange {
  return async (knock) => {
    const notes = openNotes(knock, ports)
    if (isChallenge(knock)) return challenge(notes, ports)
    ports.metrics.accepted()
    try {
      const { token, call, permit } = await judgeKnock(notes, ports, (token) => {
        notes.leave = grants.enter(token.id, notes.snapshot.config.grants.limits)
        notes.reading = (length) => readings.spend(token.id, length)
      })
      ports.revocations.saw(token, ports.clock.now())
      const judged = notes.judged ?? token
      // Before anything is waited for: what changes from now on is not missed.
      const watch = (notes.watch = open.add({
        token,
        judged,
        call,
        permit,
        until: endOf(notes),
        sessionExpires: notes.sessionExpires,
      }))
      const armed = lap(notes, 'keys', await armRequest({ call, token }, notes, ports))
      if (hasWaited(armed)) await askAgain(watch, notes, ports)
      lap(notes, 'intent', await openReceipt(notes, ports))
      const answer = lap(
        notes,
        'upstream',
        await sendUpstream({ call, armed, permit, watch }, notes, ports),
      )
      const ending = createEnding(notes, watch, ports)
      return await projectAnswer({ answer, call, texts: armed.texts, ending }, notes, ports)
    } catch (error) {
      return await endBadly(error, { notes, ports, flood })
    }
  }
}

/** When the call must have ended. WebSockets and tunnels that are not read are meant to stay. */
function endOf({ knock, opened, snapshot }: Notes): number | undefined {
  if (knock.upgrade || knock.shape === 'tunnel-blind') return undefined
  return opened + Math.min(snapshot.config.limits.upstreamTotalMs, knock.within ?? Infinity)
}

/**
 * The half of the way that judges and does nothing else: `why` walks it too, and goes no further. `enter` is asked as
 * soon as it is known whose call it is, and that the grant stands, before anything costly is done for it.
 */
export async function judgeKnock(
  notes: Notes,
  ports: JudgingPorts,
  enter: (token: VerifiedToken) => void = () => {},
): Promise<{ readonly token: VerifiedToken; readonly call: Call; readonly permit: Permit }> {
  checkKnock(notes.knock, ports)
  const token = lap(notes, 'token', readToken(notes, ports))
  await upToDate(ports)
  checkAlive(token, ports)
  enter(token)
  if (notes.knock.refused !== undefined) throw notes.knock.refused
  readPerson(notes, ports)
  const call = lap(notes, 'envelope', await readEnvelope(notes, token, ports))
  const permit = lap(notes, 'policy', await decideCall(token, call, notes, ports))
  return { token, call, permit }
}

/** Many clients send their credentials only once they were asked for them: no fault, and no receipt. */
function isChallenge({ credential, fault }: Knock): boolean {
  return credential === undefined && fault === undefined
}

function challenge(notes: Notes, ports: Ports): Reply {
  ports.metrics.challenged()
  return refusalReply(noCredential(), { ran: false, head: ports.ledger.head() }, notes)
}

function checkKnock({ fault }: Knock, ports: Pick<Ports, 'notReady'>): void {
  if (fault !== undefined) throw refusal(fault.code, 'request', fault)
  const missing = ports.notReady()
  if (missing.length > 0)
    throw refusal('not_ready', 'gateway', {
      got: missing.join(', '),
      repair: 'try again once /readyz answers 200',
    })
}

interface Around {
  readonly notes: Notes
  readonly ports: Ports
  readonly flood: Flood
}

/** The only place where an error becomes an answer: the receipt is closed, what was unsent is given back. */
async function endBadly(error: unknown, { notes, ports, flood }: Around): Promise<Reply> {
  const { refused, sent } = failureOf(error, notes, ports)
  const ran = ranUpstream(notes, sent)
  const outcome = outcomeOf(refused, notes)
  if (notes.token === undefined && refused.status === 401 && flood.takes(refused.code)) {
    ports.metrics.ended('refused', refused.code, notes.timing)
    return refusalReply(refused, { ran, head: ports.ledger.head() }, notes)
  }
  try {
    notes.watch?.done()
    if (ran === false) await giveBack(notes, ports)
    const { code, reasons } = refused
    // A client that went was not refused anything.
    const why = outcome === 'gone' ? {} : { code, reasons }
    await closeReceipt(notes, { outcome, ran, ...why }, ports)
    return refusalReply(refused, { ran, head: ports.ledger.head() }, notes)
  } catch (fault) {
    // What was not written is not named; an intent that was stays as `unknown`.
    if (notes.intent === undefined) delete notes.closing
    return refusalReply(ledgerRefusal(fault), { ran, head: ports.ledger.head() }, notes)
  }
}

/** A use that cannot be given back stays spent: that is seen, and no reason to answer anything else. */
async function giveBack({ id, reservation }: Notes, { uses, log }: Ports): Promise<void> {
  if (reservation === undefined) return
  try {
    await uses.giveBack(reservation)
  } catch (error) {
    log.warn({ receipt: id, error }, 'the uses of a call that was never sent stay spent')
  }
}

/** A cut shows as a broken connection to the upstream; what is told is why it was cut. */
function failureOf(error: unknown, { id, watch, stopped }: Notes, ports: Ports): Failure {
  if (stopped !== undefined) return { refused: stopped, sent: 'unknown' }
  return watch?.cut === undefined
    ? understand(error, id, ports.log)
    : {
        refused: refusalOfCut({ cut: watch.cut, against: watch.against }),
        // A refusal of our own comes before anything is sent.
        sent: error instanceof Refusal ? 'no' : 'unknown',
      }
}

function outcomeOf({ status }: Refusal, { watch, knock }: Notes): Outcome {
  if (watch?.cut === undefined && knock.signal.aborted) return 'gone'
  return status >= 500 ? 'failed' : 'refused'
}

/** Whether the upstream acted: known once it answered, and where no byte can have left. */
function ranUpstream(notes: Notes, sent: 'no' | 'unknown'): boolean | 'unknown' {
  if (notes.status !== undefined) return true
  return notes.intent === undefined || sent === 'no' ? false : 'unknown'
}

import type { LedgerRecord } from '../../adapters/ledger/port.ts'
import { mcpAddress } from '../../catalog/index.ts'
import type { Call } from '../call.ts'
import type { ErrorCode } from '../errors.ts'
import { fateOf } from '../ledger-fate.ts'
import { isNoise } from '../noise.ts'
import { lap, type Notes } from '../notes.ts'
import type { BodyNote, Outcome } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { Refusal } from '../refusal.ts'
import { authorityOf } from '../wire/forwarded-head.ts'
import { maskStrings } from '../wire/mask-strings.ts'
import { maskTokens } from '../wire/tokens.ts'

/** How an exchange ended, as the outcome record says it. */
export interface Ending {
  readonly outcome: Outcome
  /** Whether the upstream acted on the call. */
  readonly ran: boolean | 'unknown'
  readonly code?: ErrorCode
  readonly reasons?: readonly object[]
}

/** Makes the intent as durable as the row asks for. No byte goes upstream before this has resolved (formats, section 4). */
export async function openReceipt(notes: Notes, ports: Ports): Promise<void> {
  try {
    const { record, json } = redacted(knownBefore(notes), notes)
    notes.intent = await ports.ledger.intent(record, json, notes.call?.tool.ledger)
  } catch (error) {
    if (fateOf(error) !== undefined) notes.adrift = error
    throw ledgerRefusal(error)
  }
}

/**
 * Writes how the exchange ended, once: a later call waits for the first one's record. It depends on no signal of
 * the client's, so that a client that hangs up cannot take its receipt along. Resolves when the record is durable.
 */
export function closeReceipt(notes: Notes, ending: Ending, ports: Ports): Promise<void> {
  // Before the client has the end of its answer: its next call finds room.
  notes.leave?.()
  notes.closing ??= writeEnding(notes, ending, ports)
  return notes.closing
}

/** Counted is what the ledger has: not before it has it. */
async function writeEnding(notes: Notes, ending: Ending, ports: Ports): Promise<void> {
  const { metrics } = ports
  if (ending.ran !== false) metrics.usesSpent(notes.reservation?.links.length ?? 0)
  try {
    // One receipt is enough, and the intent may come to be it.
    if (notes.adrift !== undefined) throw notes.adrift
    await appendEnding(notes, ending, ports)
  } catch (error) {
    ports.log.error({ receipt: notes.id, error }, 'a receipt could not be recorded')
    void countUnwritten(notes, { ending, error }, ports)
    throw error
  }
  metrics.ended(ending.outcome, ending.code, notes.timing)
}

/**
 * An intent without its outcome is one of unknown fate, and the ledger closes it so; else there is no receipt at all.
 * What was being written when it was given up is counted once it is known what became of it.
 */
async function countUnwritten(
  { adrift, intent, timing }: Notes,
  { ending, error }: { readonly ending: Ending; readonly error: unknown },
  { metrics }: Ports,
): Promise<void> {
  const fate = fateOf(error)
  const kept = fate !== undefined && (await fate)
  if (kept && adrift === undefined) return metrics.ended(ending.outcome, ending.code, timing)
  if (!kept && intent === undefined) metrics.lost('receipt')
  metrics.ended(intent === undefined ? 'failed' : 'unknown', 'ledger_unavailable', timing)
}

async function appendEnding(notes: Notes, ending: Ending, ports: Ports): Promise<void> {
  const request = await notes.request?.finish()
  if (notes.status !== undefined) lap(notes, 'body', undefined)
  const record: WritableRecord = notes.intent === undefined ? knownBefore(notes) : {}
  addEnding(record, ending)
  if (ending.outcome === 'refused' && isNoise(notes.knock.origin.host)) record['noise'] = true
  addAfter(record, notes, request)
  record['closed'] = new Date(ports.clock.now()).toISOString()
  const safe = redacted(record, notes)
  const mode = notes.call?.tool.ledger
  if (notes.intent === undefined) await ports.ledger.refusal(safe.record, safe.json, mode)
  else await ports.ledger.outcome(notes.intent, safe.record, safe.json, mode)
}

/** The refusal that stands for "nothing can be recorded". */
export function ledgerRefusal(error: unknown): Refusal {
  const got = error instanceof Error ? error.message : String(error)
  return new Refusal(
    'ledger_unavailable',
    [
      {
        axis: 'ledger',
        got,
        repair: 'free space on the state folder’s disk, then try again; no restart is needed',
      },
    ],
    { retryAfter: 2 },
  )
}

/** Filled field by field: a receipt has many that may be absent, and spreading objects costs more than writing them. */
type WritableRecord = Record<string, unknown>

function knownBefore(notes: Notes): WritableRecord {
  const { knock, token, call } = notes
  const record: WritableRecord = {
    id: notes.id,
    opened: new Date(notes.opened).toISOString(),
    origin: 'gateway',
    door: knock.door,
    peer: knock.peer,
  }
  if (knock.batch !== undefined) record['batch'] = knock.batch
  if (token !== undefined) {
    record['task'] = token.task ?? null
    record['grant'] = token.id
    record['link'] = token.link
  }
  if (notes.person !== undefined) record['person'] = notes.person
  if (notes.key !== undefined) record['keys'] = notes.key
  if (call !== undefined) {
    record['envelope'] = call.envelope
    record['tool'] = call.tool.name
    const model = modelOf(call)
    if (model !== undefined) record['model'] = model
  }
  record['upstream'] = { method: knock.method, url: urlOf(notes) }
  if (notes.shadowed !== undefined) record['would_refuse'] = notes.shadowed
  record['policy'] = notes.snapshot.config.version.slice(0, 16)
  return record
}

/** The model that the call names, by its row. */
function modelOf({ ask: { model } }: Call): string | undefined {
  const value = model.kind === 'values' ? model.values[0] : undefined
  return typeof value === 'string' ? value : undefined
}

function addEnding(record: WritableRecord, { outcome, ran, code, reasons }: Ending): void {
  record['outcome'] = outcome
  record['ran'] = ran
  if (code !== undefined) record['code'] = code
  if (reasons !== undefined) record['reasons'] = reasons
}

function addAfter(record: WritableRecord, notes: Notes, request: BodyNote | undefined): void {
  if (notes.status !== undefined) record['status'] = notes.status
  if (notes.address !== undefined) record['address'] = notes.address
  if (request !== undefined) record['request'] = bodyRecord(request)
  if (notes.response !== undefined) record['response'] = bodyRecord(notes.response)
  if (notes.delivered !== undefined) record['delivered'] = bodyRecord(notes.delivered)
  if (notes.projected !== undefined) record['projected'] = notes.projected
  record['timing'] = notes.timing
}

function bodyRecord({ bytes, sha256, mediaType, truncated, coding, kept }: BodyNote): object {
  // What is undefined is left out of the JSON.
  return { bytes, sha256, media_type: mediaType, truncated, coding, body: kept }
}

/** The URL as it was judged; of a server of tools, which and what of it. */
function urlOf({ call, knock: { origin, path } }: Notes): string {
  const { mcp } = call?.tool ?? {}
  if (mcp !== undefined) return mcpAddress(mcp)
  return `${origin.scheme}://${authorityOf(origin)}${path}`
}

/**
 * Redaction comes before storing and hashing: key values and tokens are masked in every text of the record,
 * whichever field they came in by (a client may put its token into a query).
 */
function redacted(record: LedgerRecord, { snapshot }: Notes): Redacted {
  const { redactor } = snapshot.keyring
  const mask = (text: string) => maskTokens(redactor.redactText(text))
  const json = JSON.stringify(record)
  // Nearly always there is nothing to mask, and the text that was looked through is the one that is kept.
  if (mask(json) === json) return { record, json }
  return { record: maskStrings(JSON.parse(json), mask) as LedgerRecord, json: undefined }
}

/** A record that is safe to keep, and its JSON where that was made on the way. */
interface Redacted {
  readonly record: LedgerRecord
  readonly json: string | undefined
}

import type { IncomingMessage } from 'node:http'
import type { LedgerIndex, Receipt } from '../adapters/ledger/port.ts'
import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { Ask, Reason, VerifiedToken } from '../policy/index.ts'
import { mountCredential } from './doors/credentials.ts'
import { checkStands, leashed, upToDate } from './leash.ts'
import type { Ports } from './ports.ts'
import { recut, type Recut, type RecutPorts } from './recut.ts'
import { refusal, refusalOfReasons } from './refusal.ts'
import { personIn } from './stages/person.ts'
import { verifyCredential } from './stages/token.ts'

export interface HolderReceiptPorts
  extends
    RecutPorts,
    Pick<Ports, 'clock' | 'verifier' | 'sessions' | 'revocations' | 'leash' | 'snapshot'> {
  readonly index: Pick<LedgerIndex, 'get' | 'sync'>
}

/** A receipt, or the answer of its exchange cut again. */
export type HolderReceipts = (request: IncomingMessage) => Promise<Recut>

const ADDRESS = /^\/ledger\/exchanges\/([^/?]+)\.json(?:\?(.*))?$/s

/**
 * Receipts for holders: whoever has a token that still stands reads those whose link is in its chain. To others
 * they do not exist. It is no use of the token, and runs nothing.
 */
export function createHolderReceipts(ports: HolderReceiptPorts): HolderReceipts {
  return async ({ url = '', rawHeaders }) => {
    const token = await readHolder(rawHeaders, ports)
    const [, name = '', query = ''] = ADDRESS.exec(url) ?? []
    const want = wantIn(query)
    const receipt = await receiptOf(name, ports)
    if (receipt === undefined || !isOf(token, receipt)) {
      throw refusal('not_found', 'receipt', {
        got: 'an id without a receipt of this token’s chain',
        repair: 'use the id that the header `receipt` of an answer named',
      })
    }
    if (want !== undefined) return recut(receipt, want, ports)
    const body = Buffer.from(`${JSON.stringify(receipt)}\n`)
    return { headers: ['content-type', 'application/json'], body }
  }
}

async function receiptOf(
  name: string,
  { index }: HolderReceiptPorts,
): Promise<Receipt | undefined> {
  let id: string
  try {
    id = decodeURIComponent(name)
  } catch {
    return undefined
  }
  await index.sync()
  return index.get(id)
}

function isOf({ links }: VerifiedToken, { link }: Receipt): boolean {
  return typeof link === 'string' && links.includes(link)
}

/** @throws Refusal for a parameter that is not `want`, or one that comes twice */
export function wantIn(query: string): string | undefined {
  const given = [...new URLSearchParams(query)]
  const stranger = given.find(([name]) => name !== 'want')
  if (stranger !== undefined) {
    throw refusal('unknown_field', stranger[0].slice(0, 80), {
      got: 'an unknown parameter',
      repair: 'use `want`, or none',
    })
  }
  if (given.length > 1)
    throw refusal('malformed_request', 'want', { got: 'several values', repair: 'give it once' })
  return given[0]?.[1]
}

/** A token whose chain is right, that is neither revoked nor over, borne by the person that it is for. */
async function readHolder(headers: RawHeaders, ports: HolderReceiptPorts): Promise<VerifiedToken> {
  const { credential } = mountCredential(headers, 'authorization')
  const token = verifyCredential(credential, ports)
  await upToDate(ports)
  checkStands(token, ports)
  const { config } = ports.snapshot()
  const signedIn = personIn(headers, config, ports)
  const person = signedIn === undefined ? {} : { person: signedIn.person }
  const ask: Ask = { ...NO_CALL, now: ports.clock.now(), ...person }
  const judged = leashed(token, ports)
  const reasons = judged.caveats.flatMap(({ axis, line, clause, leash }): readonly Reason[] => {
    const refused = OF_HOLDERS.includes(axis) ? clause.refuses(ask) : undefined
    return refused === undefined
      ? []
      : [{ axis, caveat: line, ...(leash && { leash }), ...refused }]
  })
  if (reasons.length > 0) throw refusalOfReasons(reasons)
  return token
}

/** The lines that say who may hold a token, and for how long; the others are about calls. */
const OF_HOLDERS: readonly string[] = ['expires', 'person']

const NO_CALL = {
  target: '',
  tool: '',
  way: 'rest',
  args: {},
  paths: { kind: 'none' },
  model: { kind: 'none' },
  runsCode: false,
} as const

import type { IncomingMessage } from 'node:http'
import type { LedgerIndex, Receipt } from '../adapters/ledger/port.ts'
import type { VerifiedToken } from '../policy/index.ts'
import { mountCredential } from './doors/credentials.ts'
import { recut, type Recut, type RecutPorts } from './recut.ts'
import { refusal } from './refusal.ts'
import { readStanding, type Bearer, type StandingPorts } from './standing.ts'

export interface HolderReceiptPorts extends RecutPorts, StandingPorts {
  readonly index: Pick<LedgerIndex, 'get' | 'sync'>
}

/** Which receipt, and what of its answer: the receipt itself where `want` is undefined. */
export interface ReceiptAsked {
  readonly id: string
  readonly want: string | undefined
}

/**
 * A receipt, or the answer of its exchange cut again, for whoever has a token that still stands and whose chain its link is in.
 * To others it does not exist. It is no use of the token, and runs nothing.
 * @throws Refusal
 */
export type ReadReceipt = (bearer: Bearer, asked: ReceiptAsked) => Promise<Recut>

/** The same as an HTTP address. */
export type HolderReceipts = (request: IncomingMessage) => Promise<Recut>

const ADDRESS = /^\/ledger\/exchanges\/([^/?]+)\.json(?:\?(.*))?$/s

export function createReadReceipt(ports: HolderReceiptPorts): ReadReceipt {
  return async (bearer, { id, want }) => {
    const { token } = await readStanding(bearer, ports)
    await ports.index.sync()
    const receipt = await ports.index.get(id)
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

/** Receipts for holders at their address. */
export function createHolderReceipts(read: ReadReceipt): HolderReceipts {
  return async ({ url = '', rawHeaders }) => {
    const { credential } = mountCredential(rawHeaders, 'authorization')
    const [, name = '', query = ''] = ADDRESS.exec(url) ?? []
    const bearer = { credential, headers: rawHeaders }
    return read(bearer, { id: idIn(name), want: wantIn(query) })
  }
}

/** A name that cannot be decoded is no receipt's. */
function idIn(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
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

import type { IncomingMessage } from 'node:http'
import type { LedgerIndex, Receipt } from '../adapters/ledger/port.ts'
import type { VerifiedToken } from '../policy/index.ts'
import { mountCredential } from './doors/credentials.ts'
import { recut, type Recut, type RecutPorts } from './recut.ts'
import { refusal } from './refusal.ts'
import { readStanding, type StandingPorts } from './standing.ts'

export interface HolderReceiptPorts extends RecutPorts, StandingPorts {
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
    const { credential } = mountCredential(rawHeaders, 'authorization')
    const { token } = await readStanding({ credential, headers: rawHeaders }, ports)
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

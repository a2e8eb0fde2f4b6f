import { Buffer } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { LedgerIndex, Receipt } from '../../ledger/port.ts'
import { objectOf } from '../rules/object.ts'
import type { FoundObject } from './found.ts'

const KEY = /^ledger\/exchanges\/([0-9a-zA-Z-]{1,64})\.json$/

/** The receipt of this key, with all that was durable when the call came. */
export async function findExchange(
  index: Pick<LedgerIndex, 'get' | 'sync'>,
  key: string,
): Promise<FoundObject | undefined> {
  const id = KEY.exec(key)?.[1]
  if (id === undefined) return undefined
  await index.sync()
  const receipt = await index.get(id)
  return receipt && exchangeOf(key, receipt)
}

function exchangeOf(key: string, receipt: Receipt): FoundObject {
  const bytes = Buffer.from(JSON.stringify(receipt))
  const etag = createHash('md5').update(bytes).digest('hex')
  const object = objectOf({
    key,
    version: etag,
    size: bytes.length,
    etag,
    uploaded: timeOf(receipt),
    checksums: { md5: etag, sha256: hash('sha256', bytes) },
    httpMetadata: { contentType: 'application/json' },
    customMetadata: {},
  })
  return {
    object,
    read: async ({ offset, length } = { offset: 0, length: bytes.length }) =>
      Readable.from([bytes.subarray(offset, offset + length)]),
  }
}

/** When it was closed, or else opened. */
function timeOf({ closed, opened }: Receipt): number {
  const time = Date.parse(String(closed ?? opened))
  return Number.isNaN(time) ? 0 : time
}

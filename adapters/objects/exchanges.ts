import { Buffer } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { LedgerIndex, Receipt } from '../ledger/port.ts'
import type { Bucket, StoredObject } from './bucket.ts'
import { refuseWrite } from './read-only.ts'
import { checkCondition, holds } from './rules/condition.ts'
import { bucketFault } from './rules/fault.ts'
import { checkKey } from './rules/limits.ts'
import { objectOf } from './rules/object.ts'
import { checkRange, rangeOf } from './rules/range.ts'

const KEY = /^ledger\/exchanges\/([0-9a-zA-Z-]{1,64})\.json$/

/**
 * The exchanges of the ledger as objects, `ledger/exchanges/<id>.json`, that can only be read. What was durable when a call
 * came is seen. They are not listed: the ledger's own views are made for that.
 */
export function openExchangeBucket(index: Pick<LedgerIndex, 'get' | 'sync'>): Bucket {
  const find = async (key: string): Promise<Exchange | undefined> => {
    checkKey(key)
    const id = KEY.exec(key)?.[1]
    if (id === undefined) return undefined
    await index.sync()
    const receipt = await index.get(id)
    return receipt && exchangeOf(key, receipt)
  }
  return {
    head: async (key) => (await find(key))?.object ?? null,
    async get(key, { onlyIf, range } = {}) {
      checkCondition(onlyIf)
      checkRange(range)
      const found = await find(key)
      if (found === undefined) return null
      const { object, bytes } = found
      if (!holds(onlyIf, object)) return object
      const wanted = range && rangeOf(range, bytes.length)
      const { offset, length } = wanted ?? { offset: 0, length: bytes.length }
      const body = Readable.from([bytes.subarray(offset, offset + length)])
      return wanted === undefined ? { ...object, body } : { ...object, range: wanted, body }
    },
    put: refuseWrite,
    delete: refuseWrite,
    async list() {
      throw bucketFault('InvalidArgument', 'exchanges are not listed here; ask the ledger for them')
    },
    close: async () => {},
  }
}

interface Exchange {
  readonly object: StoredObject
  readonly bytes: Buffer
}

function exchangeOf(key: string, receipt: Receipt): Exchange {
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
  return { object, bytes }
}

/** When it was closed, or else opened. */
function timeOf({ closed, opened }: Receipt): number {
  const time = Date.parse(String(closed ?? opened))
  return Number.isNaN(time) ? 0 : time
}

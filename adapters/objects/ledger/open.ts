import type { LedgerIndex } from '../../ledger/port.ts'
import type { Bucket, StoredObject } from '../bucket.ts'
import type { BodyStore } from '../port.ts'
import { refuseWrite } from '../read-only.ts'
import { checkCondition, holds } from '../rules/condition.ts'
import { unavailable } from '../rules/fault.ts'
import { checkKey } from '../rules/limits.ts'
import { checkRange, rangeOf } from '../rules/range.ts'
import { findBody, listBodies } from './bodies.ts'
import { findExchange } from './exchanges.ts'

export interface LedgerBucketOptions {
  readonly index: Pick<LedgerIndex, 'get' | 'sync'>
  readonly bodies: Pick<BodyStore, 'find' | 'read' | 'list'>
}

/**
 * What the ledger holds, as objects that can only be read: the exchanges, `ledger/exchanges/<id>.json`, and the bodies that
 * were kept of them, `ledger/bodies/<sha256>`. Of exchanges what was durable when a call came is seen. They are not listed:
 * the ledger's own views are made for that.
 */
export function openLedgerBucket({ index, bodies }: LedgerBucketOptions): Bucket {
  const failed = unavailable('bucket `ledger`')
  const find = async (key: string) => {
    checkKey(key)
    return (await findExchange(index, key)) ?? findBody(bodies, key)
  }
  const get: Bucket['get'] = async (key, { onlyIf, range } = {}) => {
    checkCondition(onlyIf)
    checkRange(range)
    const found = await find(key)
    if (found === undefined) return null
    const { object } = found
    if (!holds(onlyIf, object)) return object
    const wanted = range && rangeOf(range, object.size)
    const body = await found.read(wanted)
    if (body === undefined) return null
    return wanted === undefined ? { ...object, body } : { ...object, range: wanted, body }
  }
  return {
    head: (key): Promise<StoredObject | null> =>
      find(key).then((found) => found?.object ?? null, failed),
    get: (key, options) => get(key, options).catch(failed),
    put: refuseWrite,
    delete: refuseWrite,
    list: (options = {}) => listBodies(bodies, options).catch(failed),
    close: async () => {},
  }
}

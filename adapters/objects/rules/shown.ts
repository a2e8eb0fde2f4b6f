import type { ListOptions, StoredObject } from '../bucket.ts'

/** What a listing shows of an object: metadata only where it is asked for. */
export function shownOf(object: StoredObject, include: ListOptions['include'] = []): StoredObject {
  return {
    ...object,
    httpMetadata: include.includes('httpMetadata') ? object.httpMetadata : {},
    customMetadata: include.includes('customMetadata') ? object.customMetadata : {},
  }
}

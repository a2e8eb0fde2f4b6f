import type { OnlyIf, StoredObject } from '../bucket.ts'
import { bucketFault } from './fault.ts'

/** What a condition looks at. */
export type Judged = Pick<StoredObject, 'etag' | 'uploaded'>

/** Stands for any object in a list of etags. */
export const ANY = '*'

/**
 * Whether a condition lets an operation through. The order is that of RFC 9110, 13.2.2: a time counts only where no
 * etag of its side was given. Where there is no object, nothing can match and nothing was uploaded after anything.
 */
export function holds(onlyIf: OnlyIf | undefined, object: Judged | undefined): boolean {
  if (onlyIf === undefined) return true
  if (object === undefined) return holdsForNone(onlyIf)
  const { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter } = onlyIf
  const time = (ms: number) => (onlyIf.secondsGranularity === true ? Math.floor(ms / 1000) : ms)
  const uploaded = time(object.uploaded)
  if (etagMatches !== undefined) {
    if (!names(etagMatches, object.etag)) return false
  } else if (uploadedBefore !== undefined && uploaded >= time(uploadedBefore)) return false
  if (etagDoesNotMatch !== undefined) return !names(etagDoesNotMatch, object.etag)
  return uploadedAfter === undefined || uploaded > time(uploadedAfter)
}

/** The same where it is known that there is no object. */
export function holdsForNone({ etagMatches, uploadedAfter }: OnlyIf): boolean {
  return etagMatches === undefined && uploadedAfter === undefined
}

export function etagsOf(etags: string | readonly string[]): readonly string[] {
  return typeof etags === 'string' ? [etags] : etags
}

function names(etags: string | readonly string[], etag: string): boolean {
  return etagsOf(etags).some((one) => one === ANY || one === etag)
}

/** Refuses a condition that cannot be meant. */
export function checkCondition(onlyIf: OnlyIf | undefined): void {
  if (onlyIf === undefined) return
  for (const name of ['etagMatches', 'etagDoesNotMatch'] as const) {
    const etags = onlyIf[name]
    if (etags === undefined) continue
    if (etagsOf(etags).length === 0) throw refused(`onlyIf.${name}`, 'an empty list', 'name etags')
    const quoted = etagsOf(etags).find((etag) => etag.includes('"'))
    if (quoted !== undefined) throw refused(`onlyIf.${name}`, quoted, 'write etags without quotes')
  }
  for (const name of ['uploadedBefore', 'uploadedAfter'] as const) {
    const time = onlyIf[name]
    if (time !== undefined && !Number.isSafeInteger(time))
      throw refused(`onlyIf.${name}`, String(time), 'give whole milliseconds since the epoch')
  }
}

function refused(path: string, got: string, repair: string) {
  return bucketFault('InvalidArgument', `${path}: got \`${got}\`; ${repair}`)
}

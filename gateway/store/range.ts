import type { ObjectRange, StoredObject } from '../../adapters/objects/port.ts'
import { readDate, type HeaderOf } from './conditions.ts'

const FROM = /^bytes=(\d{1,15})-(\d{1,15})?$/
const LAST = /^bytes=-(\d{1,15})$/

/** The one range of bytes that a request asks for; any other `Range` asks for the whole (RFC 9110, 14.2). */
export function readRange(header: HeaderOf): ObjectRange | undefined {
  const text = header('range')?.trim() ?? ''
  const suffix = LAST.exec(text)?.[1]
  if (suffix !== undefined) return { suffix: Number(suffix) }
  const [, from, to] = FROM.exec(text) ?? []
  if (from === undefined) return undefined
  const offset = Number(from)
  if (to === undefined) return { offset }
  return Number(to) < offset ? undefined : { offset, length: Number(to) - offset + 1 }
}

/** Whether a part still fits what the asker has of the object (RFC 9110, 13.1.5). */
export function isStillThat(header: HeaderOf, { httpEtag, uploaded }: StoredObject): boolean {
  const known = header('if-range')?.trim()
  if (known === undefined || known === httpEtag) return true
  const date = known.includes('"') ? undefined : readDate(known)
  return date !== undefined && date === Math.floor(uploaded / 1000) * 1000
}

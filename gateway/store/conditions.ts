import type { OnlyIf, StoredObject } from '../../adapters/objects/port.ts'
import { refusal } from '../refusal.ts'

/** The value of a header field, or undefined. */
export type HeaderOf = (name: string) => string | undefined

const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/y

/**
 * The conditions of a request (RFC 9110, 13.1) as the port has them; undefined where there are none. A date that cannot be
 * read is none.
 * @throws Refusal where an entity tag cannot be read
 */
export function readConditions(header: HeaderOf): OnlyIf | undefined {
  const match = readTags('if-match', header)
  const noMatch = readTags('if-none-match', header)
  const since = readDate(header('if-modified-since'))
  const until = readDate(header('if-unmodified-since'))
  const onlyIf: OnlyIf = {
    // A weak tag never is the same one (RFC 9110, 13.1.1), and no etag begins like that.
    ...(match && { etagMatches: match.map(({ weak, tag }) => (weak ? `W/${tag}` : tag)) }),
    ...(noMatch && { etagDoesNotMatch: noMatch.map(({ tag }) => tag) }),
    ...(since === undefined ? {} : { uploadedAfter: since }),
    // Not after that second: before the next one.
    ...(until === undefined ? {} : { uploadedBefore: until + 1000 }),
  }
  return Object.keys(onlyIf).length === 0 ? undefined : { ...onlyIf, secondsGranularity: true }
}

interface EntityTag {
  readonly weak: boolean
  readonly tag: string
}

function readTags(name: string, header: HeaderOf): readonly EntityTag[] | undefined {
  const text = header(name)?.trim()
  if (text === undefined) return undefined
  if (text === '*') return [{ weak: false, tag: '*' }]
  const tags: EntityTag[] = []
  for (TAG.lastIndex = 0; TAG.lastIndex < text.length;) {
    const [, weak, tag] = TAG.exec(text) ?? []
    if (tag === undefined) throw badTag(name)
    tags.push({ weak: weak !== undefined, tag })
  }
  if (tags.length === 0) throw badTag(name)
  return tags
}

function badTag(name: string) {
  const got = 'a value that holds no entity tags'
  return refusal('malformed_request', name, { got, repair: 'write "<etag>", several, or *' })
}

/** Milliseconds of an HTTP date; undefined where it is none. */
export function readDate(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/**
 * What is answered to a read under conditions (RFC 9110, 13.2.2): the object, that the asker has it already, or that its
 * state is another one.
 */
export function statusUnder(
  { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter }: OnlyIf,
  { etag, uploaded }: StoredObject,
): 200 | 304 | 412 {
  const names = (etags: string | readonly string[]) =>
    [etags].flat().some((one) => one === '*' || one === etag)
  const second = secondOf(uploaded)
  if (etagMatches !== undefined) {
    if (!names(etagMatches)) return 412
  } else if (uploadedBefore !== undefined && second >= secondOf(uploadedBefore)) return 412
  if (etagDoesNotMatch !== undefined) return names(etagDoesNotMatch) ? 304 : 200
  return uploadedAfter !== undefined && second <= secondOf(uploadedAfter) ? 304 : 200
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000)
}

import { hash as digest } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { LedgerIndex } from '../../adapters/ledger/port.ts'
import type { BodyStore } from '../../adapters/objects/port.ts'
import type { Article, Source } from '../../catalog/index.ts'
import { refusal } from '../refusal.ts'
import { asRefusal } from '../store/faults.ts'
import type { Buckets } from '../store/serve.ts'
import { EncodingFault, readableBody } from '../wire/encodings.ts'

/** Where sources lie. */
export interface SourcePlaces {
  readonly index: Pick<LedgerIndex, 'get' | 'sync'>
  readonly bodies: Pick<BodyStore, 'read'>
  readonly buckets: Buckets
  /** Larger sources are not searched, in bytes. */
  readonly most: number
}

/**
 * What became of a source: `found` with the bytes and the quote that the article says, `changed` where there are other bytes
 * or the quote is not in them, `missing` where there are none.
 */
export type Verdict = 'found' | 'changed' | 'missing'

export interface Verified {
  /** Its number in the article. */
  readonly source: number
  readonly verdict: Verdict
  /** Of the bytes that are there; null where there are none. */
  readonly sha256: string | null
  /** Whether the quote is in them; null where nothing is quoted or there are none. */
  readonly quoted: boolean | null
}

/** Looks each source of an article up, one by one. */
export async function verifySources(
  { sources }: Article,
  places: SourcePlaces,
): Promise<readonly Verified[]> {
  await places.index.sync()
  const verified: Verified[] = []
  for (const [at, source] of sources.entries())
    verified.push({ source: at, ...(await verifyOne(source, places)) })
  return verified
}

async function verifyOne(source: Source, places: SourcePlaces): Promise<Omit<Verified, 'source'>> {
  const bytes = await bytesOfSource(source, places)
  if (bytes === undefined) return { verdict: 'missing', sha256: null, quoted: null }
  const sha256 = digest('sha256', bytes.raw)
  const quoted = source.quote === undefined ? null : holds(await bytes.read(), source.quote)
  const verdict = sha256 === source.sha256 && quoted !== false ? 'found' : 'changed'
  return { verdict, sha256, quoted }
}

/** Bytes as they lie there, and as they are read: without their coding. */
interface SourceBytes {
  readonly raw: Buffer
  read(): Promise<Buffer>
}

async function bytesOfSource(
  source: Source,
  places: SourcePlaces,
): Promise<SourceBytes | undefined> {
  if (source.object !== undefined) return objectBytes(source.object, places)
  const receipt = await places.index.get(source.receipt ?? '')
  const kept = receipt?.[source.part ?? 'response'] as
    | { readonly body?: unknown; readonly coding?: unknown }
    | undefined
  if (typeof kept?.body !== 'string') return undefined
  const stored = await places.bodies.read(kept.body)
  if (stored === undefined) return undefined
  const raw = await collect(stored, places.most)
  const coded = typeof kept.coding === 'string' ? ['content-encoding', kept.coding] : []
  return { raw, read: () => decoded(raw, coded, places.most) }
}

async function objectBytes(
  path: string,
  { buckets, most }: SourcePlaces,
): Promise<SourceBytes | undefined> {
  const slash = path.indexOf('/')
  try {
    const object = await buckets.get(path.slice(0, slash))?.get(path.slice(slash + 1))
    if (!object || !('body' in object)) return undefined
    const raw = await collect(object.body, most)
    return { raw, read: async () => raw }
  } catch (error) {
    throw asRefusal(error)
  }
}

/** What cannot be decoded holds no quote. */
async function decoded(raw: Buffer, coded: readonly string[], most: number): Promise<Buffer> {
  try {
    const { body } = readableBody(raw, coded)
    return Buffer.isBuffer(body) ? body : await collect(body, most)
  } catch (error) {
    if (error instanceof EncodingFault) return Buffer.alloc(0)
    throw error
  }
}

async function collect(stream: Readable, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream) {
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    if (length > most)
      throw refusal('too_large', 'sources', {
        got: `a source of more than ${most} bytes`,
        repair: 'cite a smaller one, or raise limits.collected_bytes',
      })
  }
  return Buffer.concat(pieces)
}

/** Whether the quote stands in the text, or in one of its texts where it is JSON, whose escapes nobody quotes. */
function holds(bytes: Buffer, quote: string): boolean {
  const text = bytes.toString('utf8')
  if (text.includes(quote)) return true
  try {
    return someText(JSON.parse(text), (each) => each.includes(quote))
  } catch {
    return false
  }
}

function someText(value: unknown, fits: (text: string) => boolean): boolean {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string' && fits(next)) return true
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next)) pending.push(member)
  }
  return false
}

import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3'
import type { OnlyIf, PutOptions, StoredObject } from '../bucket.ts'
import type { Taken } from '../intake.ts'
import { ANY, etagsOf, holds } from '../rules/condition.ts'
import { objectOf } from '../rules/object.ts'
import { within } from './client.ts'
import { bareEtag, headersOf, markOf, secondsOf } from './facts.ts'
import { isChanged, isConflict, isDoubtful, isNone, isPassing } from './fault.ts'
import { headObject, type S3Bucket } from './reading.ts'

const TRIES = 5
const PAUSE_MS = 50

export interface Putting {
  readonly key: string
  readonly taken: Taken
  readonly options: PutOptions
}

/** A condition as S3 knows it; `whole`: it says all of the caller's condition, so that it refuses for good. */
interface Guard {
  readonly fields: Pick<PutObjectCommandInput, 'IfMatch' | 'IfNoneMatch'>
  readonly whole: boolean
}

/**
 * What S3 does not know of a condition is judged here, and the write is then bound to the very state that was judged. A
 * write that S3 may have carried out without our seeing the answer is known again by its mark.
 */
export async function putObject(place: S3Bucket, putting: Putting): Promise<StoredObject | null> {
  const { key, options } = putting
  const mark = randomBytes(16).toString('hex')
  const command = commandOf(place, putting, mark)
  let doubtful = false
  for (let tries = 1; ; tries += 1) {
    const guard = await guardOf(place, key, options.onlyIf)
    if (guard === undefined) return null
    try {
      const etag = await send(place, { ...command(), ...guard.fields }, putting.taken.size)
      // S3's own time stands in no answer to a put.
      return (await ours(place, key, mark)) ?? asSent(putting, etag)
    } catch (error) {
      doubtful ||= isDoubtful(error)
      const object = doubtful ? await ours(place, key, mark) : undefined
      if (object !== undefined) return object
      if (isRefused(error, guard)) {
        if (guard.whole) return null
      } else if (!isPassing(error) && !isConflict(error)) throw error
      if (tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries))
    }
  }
}

function isRefused(error: unknown, { fields }: Guard): boolean {
  return isChanged(error) || (fields.IfMatch !== undefined && isNone(error))
}

/** Undefined where the condition does not hold. */
async function guardOf(
  place: S3Bucket,
  key: string,
  onlyIf: OnlyIf | undefined,
): Promise<Guard | undefined> {
  if (onlyIf === undefined) return { fields: {}, whole: true }
  const direct = directGuard(onlyIf)
  if (direct !== undefined) return direct
  const object = (await headObject(place, key))?.object
  if (!holds(onlyIf, object)) return undefined
  const fields = object === undefined ? { IfNoneMatch: ANY } : { IfMatch: object.httpEtag }
  return { fields, whole: false }
}

/** Creating, and replacing one known state, are what S3 judges by itself. */
function directGuard(onlyIf: OnlyIf): Guard | undefined {
  const { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter } = onlyIf
  if (uploadedAfter !== undefined || uploadedBefore !== undefined) return undefined
  if (etagMatches === undefined && etagDoesNotMatch === ANY)
    return { fields: { IfNoneMatch: ANY }, whole: true }
  if (etagMatches === undefined || etagDoesNotMatch !== undefined) return undefined
  const [etag, ...others] = etagsOf(etagMatches)
  return others.length > 0 || etag === ANY
    ? undefined
    : { fields: { IfMatch: `"${etag}"` }, whole: true }
}

/** Made anew for each try: a stream can be sent once. */
function commandOf({ bucket }: S3Bucket, { key, taken, options }: Putting, mark: string) {
  const { place, size, checksums } = taken
  const fields = {
    Bucket: bucket,
    Key: key,
    ContentLength: size,
    // S3 compares it with what arrives.
    ContentMD5: Buffer.from(checksums.md5, 'hex').toString('base64'),
    ...headersOf(options, { checksums, mark }),
  }
  return (): PutObjectCommandInput => ({
    ...fields,
    Body: 'bytes' in place ? place.bytes : createReadStream(place.file),
  })
}

async function send(
  { client }: S3Bucket,
  input: PutObjectCommandInput,
  size: number,
): Promise<string> {
  const { ETag } = await within(
    (abortSignal) => client.send(new PutObjectCommand(input), { abortSignal }),
    size,
  )
  return bareEtag(ETag)
}

/** The object where it is still that of this very write. */
async function ours(place: S3Bucket, key: string, mark: string): Promise<StoredObject | undefined> {
  const headed = await headObject(place, key).catch(() => undefined)
  return headed !== undefined && markOf(headed.head) === mark ? headed.object : undefined
}

/** Of what was replaced already, or cannot be looked at: as it was sent, at the time that it is here. */
function asSent({ key, taken, options }: Putting, etag: string): StoredObject {
  const { size, checksums } = taken
  const { httpMetadata = {}, customMetadata = {} } = options
  const uploaded = secondsOf(new Date())
  return objectOf({
    key,
    version: etag,
    size,
    etag,
    uploaded,
    checksums,
    httpMetadata,
    customMetadata,
  })
}

import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { within } from './client.ts'
import { mapSome } from './listing.ts'
import type { S3Bucket } from './reading.ts'

/** What every reader of XML gives back as it was written. */
const PLAIN = /^[A-Za-z0-9!'()*./_~-]+$/

/** Many plain keys go in one call; a key that XML could change is deleted by itself. */
export async function deleteObjects(place: S3Bucket, keys: readonly string[]): Promise<void> {
  const plain = keys.filter((key) => PLAIN.test(key))
  if (plain.length > 1) await deleteMany(place, plain)
  const others = plain.length > 1 ? keys.filter((key) => !PLAIN.test(key)) : keys
  await mapSome(others, (key) => deleteOne(place, key))
}

async function deleteMany({ client, bucket }: S3Bucket, keys: readonly string[]): Promise<void> {
  const Delete = { Quiet: true, Objects: keys.map((Key) => ({ Key })) }
  const { Errors: [fault] = [] } = await within((abortSignal) =>
    client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }), { abortSignal }),
  )
  if (fault !== undefined) throw new Error(`\`${fault.Key}\` was not deleted: ${fault.Message}`)
}

async function deleteOne({ client, bucket }: S3Bucket, key: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: bucket, Key: key })
  await within((abortSignal) => client.send(command, { abortSignal }))
}

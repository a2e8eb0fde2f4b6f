import type { Test } from 'tap'
import type { Bucket } from '../../../adapters/objects/bucket.ts'

/** The listing that must stay small: so many objects of so many bytes, of which so many fit into 16 MiB. */
export const MANY = { count: 47_000, bytes: 32 * 1024, fit: 512 } as const

/**
 * Lists all of a bucket with bodies, page by page. Only the first `fit` objects may have theirs read: whoever prepared the
 * bucket gave no other one its bytes, so that reading it would show.
 */
export async function testBudget(t: Test, bucket: Bucket): Promise<void> {
  let [listed, bytes] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await bucket.list({
      include: ['body'],
      ...(cursor === undefined ? {} : { cursor }),
    })
    listed += page.objects.length
    bytes += page.objects.reduce((sum, object) => sum + (object.bytes?.length ?? 0), 0)
    const whole = page.objects.every(
      (object) => object.bytes === undefined || object.bytes.length === MANY.bytes,
    )
    t.ok(whole, 'a body comes whole or not at all')
    cursor = page.cursor
  } while (cursor !== undefined)
  t.strictSame([listed, bytes], [MANY.count, MANY.fit * MANY.bytes])
}

import { join } from 'node:path'
import type { Test } from 'tap'
import { SecretText } from '../../../../adapters/keys/secret.ts'
import {
  openAnchor,
  type AnchorNews,
  type AnchorOptions,
} from '../../../../adapters/ledger/anchor/anchor.ts'
import { openCheckpoints } from '../../../../adapters/ledger/checkpoint/checkpoints.ts'
import { openEmbeddedBuckets } from '../../../../adapters/objects/embedded/open.ts'
import { createIntake } from '../../../../adapters/objects/intake.ts'
import type { Bucket } from '../../../../adapters/objects/port.ts'
import { makeFolder, openLog } from '../rig.ts'

const KEY = new SecretText('ledger-key', Buffer.alloc(32, 5).toString('base64url'))

/** A log with checkpoints, which grows when it is told to. */
export async function openSigned(t: Test, folder: string) {
  const { log } = await openLog(folder, { rotateBytes: 2000 })
  const options = { folder, log, name: 'log.example', key: KEY, everyMs: 3_600_000 }
  const proofs = openCheckpoints({ ...options, onAlarm: (alarm) => t.fail(JSON.stringify(alarm)) })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= proofs.close().then(() => log.close()))
  t.teardown(close)
  return {
    writer: log.head().writer,
    close,
    /** Appends so many records, and signs. */
    async grow(count: number) {
      for (let at = 0; at < count; at += 1)
        await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(200) })
      return proofs.sign()
    },
  }
}

export function anchorIn(
  t: Test,
  options: Partial<AnchorOptions> & Pick<AnchorOptions, 'folder' | 'bucket'>,
) {
  const news: AnchorNews[] = []
  const anchor = openAnchor({
    prefix: 'gate-1/',
    deadlineMs: 5_000,
    pauseMs: 20,
    lookMs: 20,
    onNews: (one) => void news.push(one),
    ...options,
  })
  t.teardown(() => anchor.close())
  return { anchor, news }
}

/** A real bucket on this disk. */
export async function openEmbedded(t: Test): Promise<Bucket> {
  const folder = makeFolder(t)
  let count = 0
  const temporary = () => join(folder, `${(count += 1)}.tmp`)
  const buckets = await openEmbeddedBuckets({
    file: join(folder, 'objects.sqlite'),
    folder,
    intake: createIntake({ temporary }),
  })
  t.teardown(() => buckets.close())
  return buckets.bucket('anchors')
}

export async function keysOf(bucket: Bucket): Promise<readonly string[]> {
  return (await bucket.list()).objects.map(({ key }) => key)
}

import type { Readable } from 'node:stream'

/** The whole stream, or undefined where it has more than `limit` bytes; then it is left unread. */
export async function readAtMost(stream: Readable, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > limit) return undefined
  }
  return Buffer.concat(chunks, length)
}

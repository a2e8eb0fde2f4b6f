import { MAX_LINE_BYTES } from '../segment/chain.ts'
import { IngestFaultError } from './fault.ts'

const LF = 0x0a

/** The lines of a body, without their line feeds. The last one needs none. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let pending: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)])
      pending = []
      length = 0
      start = end + 1
    }
    const rest = chunk.subarray(start)
    if (rest.length > 0) pending.push(Buffer.from(rest))
    length += rest.length
    if (length > MAX_LINE_BYTES)
      throw new IngestFaultError('malformed', `a line of more than ${MAX_LINE_BYTES} bytes`)
  }
  if (length > 0) yield Buffer.concat(pending)
}

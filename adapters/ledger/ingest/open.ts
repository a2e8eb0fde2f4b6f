import { LRUCache } from 'lru-cache'
import type { Ingested, Ledger, LedgerIngest } from '../port.ts'
import { announcedOf, setAnnounced } from '../segment/foreign.ts'
import { openForeignChain, type ForeignChain } from './chain.ts'
import { IngestFaultError } from './fault.ts'
import { linesOf } from './lines.ts'
import { readLine } from './record.ts'

/** Recorders whose place is kept in memory. */
const MOST_OPEN = 256

export interface IngestOptions {
  /** The log's folder, which this process owns. */
  readonly folder: string
  /** Our own log: it says of each recorder how far its log was taken in, and so in which order all is indexed. */
  readonly log: Pick<Ledger, 'event'>
}

/** Takes in the logs of other recorders, each in a folder of its own beside ours. */
export function openIngest(options: IngestOptions): LedgerIngest {
  /** Requests of one writer follow one another. */
  const turns = new Map<string, Promise<unknown>>()
  // Opening one reads all that is kept of it.
  const chains = new LRUCache<string, ForeignChain>({ max: MOST_OPEN })
  const chainOf = (writer: string): ForeignChain => {
    const chain = chains.get(writer) ?? openForeignChain(options.folder, writer)
    chains.set(writer, chain)
    return chain
  }
  return {
    async take(chunks) {
      const lines = linesOf(chunks)
      const first = await lines.next()
      const header = first.done === true ? undefined : readLine(first.value)
      if (header?.kind !== 'segment')
        throw new IngestFaultError('malformed', 'no header of a segment as the first line')
      const { writer } = header
      const former = turns.get(writer) ?? Promise.resolve()
      const turn = former
        .catch(() => undefined)
        .then(async () => {
          const chain = chainOf(writer)
          await chain.enter(header)
          return takeLines(chain, lines, options)
        })
        .catch((error: unknown) => {
          // After a fault of the disk the files say how far it is.
          if (!(error instanceof IngestFaultError)) chains.delete(writer)
          throw error
        })
      turns.set(writer, turn)
      try {
        return await turn
      } finally {
        if (turns.get(writer) === turn) turns.delete(writer)
      }
    },
  }
}

/** What came before a fault stays, and is announced like all else. */
async function takeLines(
  chain: ForeignChain,
  lines: AsyncIterable<Buffer>,
  options: IngestOptions,
): Promise<Ingested> {
  const counts = { added: 0, known: 0 }
  try {
    for await (const bytes of lines) {
      const line = readLine(bytes)
      if (line.kind === 'segment') await chain.enter(line)
      else counts[await chain.take(line)] += 1
    }
  } finally {
    await chain.flush()
    await announce(chain, options)
  }
  return { ...chain.head(), ...counts }
}

/** Records of others count from the moment at which our own log says so. */
async function announce(chain: ForeignChain, { folder, log }: IngestOptions): Promise<void> {
  const { writer, n, hash } = chain.head()
  if (n <= announcedOf(folder, writer)) return
  await log.event({
    event: 'ledger_ingested',
    subject: writer,
    actor: 'recorder',
    data: { n, hash },
  })
  setAnnounced(folder, writer, n)
}

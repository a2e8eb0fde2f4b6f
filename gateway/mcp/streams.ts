import type { VerifiedToken } from '../../policy/index.ts'
import { refusal } from '../refusal.ts'
import { readStanding, type Bearer, type StandingPorts } from '../standing.ts'
import type { Ports } from '../ports.ts'

/** A stream that waits for news. */
export interface NewsStream {
  /** Whose it is. */
  readonly bearer: Bearer
  /** The token with its grant's leash, as it was when the stream was opened. */
  readonly judged: VerifiedToken
  /** Tells its client that the list of tools is another now. */
  changed(): void
  end(): void
}

export interface NewsPorts extends StandingPorts {
  readonly revocations: Ports['revocations']
  /** The rows in force: another list after a reload. */
  readonly tools: () => readonly unknown[]
}

/**
 * Streams of clients that wait for news of their tools. A sweep once in half a second, and at once after a change of grants, looks
 * at each: one whose token does not stand any more ends, after its client was told that the list is another.
 */
export interface NewsStreams {
  /**
   * Keeps a stream until the function that is given is called.
   * @throws Refusal where there are too many
   */
  add(stream: NewsStream, most: number): () => void
  /** Ends all of them. */
  close(): void
}

const SWEEP_MS = 500

interface Kept {
  readonly stream: NewsStream
  judged: VerifiedToken
  tools: readonly unknown[]
}

export function createNewsStreams(ports: NewsPorts): NewsStreams {
  const open = new Set<Kept>()
  let timer: NodeJS.Timeout | undefined
  const forget = (kept: Kept) => {
    if (!open.delete(kept) || open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const end = (kept: Kept) => {
    forget(kept)
    kept.stream.end()
  }
  const look = async (kept: Kept) => {
    const { stream } = kept
    try {
      const { judged } = await readStanding(stream.bearer, ports)
      const tools = ports.tools()
      if (judged === kept.judged && tools === kept.tools) return
      Object.assign(kept, { judged, tools })
      stream.changed()
    } catch {
      // Where nobody can say whether the token stands, nothing stays open.
      if (open.has(kept)) stream.changed()
      end(kept)
    }
  }
  const sweep = () => {
    for (const kept of open) void look(kept)
  }
  const stopListening = ports.revocations.onChange(sweep)
  return {
    add(stream, most) {
      if (open.size >= most)
        throw refusal('overloaded', 'streams', {
          got: `${open.size} streams that wait for news`,
          repair: 'try again later, or raise limits.max_mcp_streams',
          retryAfter: 10,
        })
      const kept = { stream, judged: stream.judged, tools: ports.tools() }
      open.add(kept)
      timer ??= setInterval(sweep, SWEEP_MS).unref()
      return () => forget(kept)
    },
    close() {
      stopListening()
      for (const kept of open) end(kept)
    },
  }
}

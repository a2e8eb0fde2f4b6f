import type { ServerResponse } from 'node:http'
import { refusal } from '../../refusal.ts'

/** Readers at one time: each holds a page of the feed. */
const MOST = 64
/** How long a reader may take for the end of its answer when the gateway stops, in milliseconds. */
const LAST_MS = 1000
/** A peer that has vanished is noticed by the kernel after some such probes. */
const PROBE_MS = 30_000

/** Who reads the feed at the moment. */
export interface FeedReaders {
  /**
   * Takes a reader in; the signal comes when it has gone, or the gateway stops.
   * @throws Refusal where there are too many
   */
  enter(response: ServerResponse): AbortSignal
  /** Lets each end its answer, and cuts those that do not take the end. */
  stop(): Promise<void>
}

export function createFeedReaders(): FeedReaders {
  const readers = new Map<ServerResponse, AbortController>()
  return {
    enter(response) {
      if (readers.size >= MOST) throw tooMany()
      const controller = new AbortController()
      readers.set(response, controller)
      response.socket?.setKeepAlive(true, PROBE_MS)
      response.once('close', () => {
        readers.delete(response)
        controller.abort()
      })
      return controller.signal
    },
    async stop() {
      const gone = [...readers.keys()].map(
        (response) => new Promise((resolve) => void response.once('close', resolve)),
      )
      for (const controller of readers.values()) controller.abort()
      const timer = setTimeout(() => {
        for (const response of readers.keys()) response.destroy()
      }, LAST_MS)
      await Promise.all(gone)
      clearTimeout(timer)
    },
  }
}

function tooMany() {
  return refusal('overloaded', 'feed', {
    got: `${MOST} readers of the feed`,
    repair: 'end one of them, then try again',
    retryAfter: 5,
  })
}

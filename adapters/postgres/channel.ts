import type postgres from 'postgres'
import type { ChannelEvents } from './port.ts'
import { CHANNEL } from './schema.ts'

const AGAIN_MS = 200

/** What a connection tells of itself; the library takes `onnotify`, though its types leave it out. */
export interface ClientHooks {
  readonly onclose?: () => void
  readonly onnotify?: () => void
}

/**
 * Holds one connection that listens for changes. The library listens again by itself but does not say when it lost
 * the channel, and that is what a gateway has to know.
 */
export function keepListening(
  connect: (hooks: ClientHooks) => postgres.Sql,
  events: ChannelEvents,
): { close(): Promise<void> } {
  let closed = false
  let heard = false
  let timer: NodeJS.Timeout | undefined
  let client: postgres.Sql | undefined

  const lost = (from: postgres.Sql | undefined) => {
    if (closed || from !== client) return
    if (heard) events.down()
    heard = false
    client = undefined
    void from?.end({ timeout: 1 }).catch(() => undefined)
    timer = setTimeout(() => void listen(), AGAIN_MS)
    timer.unref()
  }
  const listen = async (): Promise<void> => {
    const fresh: postgres.Sql = connect({
      onclose: () => lost(fresh),
      onnotify: () => events.news(),
    })
    client = fresh
    try {
      await fresh.unsafe(`LISTEN ${CHANNEL}`)
      if (closed || client !== fresh) return
      heard = true
      events.up()
    } catch {
      lost(fresh)
    }
  }
  void listen()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end({ timeout: 1 }).catch(() => undefined)
    },
  }
}

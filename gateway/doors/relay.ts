import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Pipes two connections into each other until both have ended. Either side may finish sending first; where one
 * breaks, or neither has sent a byte for `idleMs`, both are destroyed.
 */
export async function relay(
  client: Socket,
  upstream: Duplex,
  { idleMs }: { readonly idleMs: number },
): Promise<void> {
  const stop = () => {
    client.destroy()
    upstream.destroy()
  }
  client.on('error', stop)
  upstream.on('error', stop)
  client.setTimeout(idleMs, stop)
  const closed = Promise.all([closing(client, upstream), closing(upstream, client)])
  client.pipe(upstream)
  upstream.pipe(client)
  await closed
  client.off('error', stop)
}

/** Resolves when `side` is closed; what came before its end is still delivered, but nothing waits for it any more. */
function closing(side: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const onClose = () => {
      // `pipe` has ended the other side already, unless this one broke off.
      if (!side.readableEnded) other.destroy()
      resolve()
    }
    if (side.closed) onClose()
    else side.once('close', onClose)
  })
}

import type { Dialled } from '../dial.ts'

const LOOK_MS = 500

/**
 * Sees that an upstream has gone where HTTP/2 over TLS does not: a write that fails while TLS hands on what it has just
 * read is taken for one that is still under way, and until that ends nothing is written or read any more (Node.js 20;
 * nodejs/node#55804): whatever is asked on such a connection waits. Below TLS a write of nothing fails on a lost
 * connection, which ends all that is on top of it.
 */
export function watchForLoss({ socket, below }: Pick<Dialled, 'socket' | 'below'>): void {
  let written = -1
  const timer = setInterval(() => {
    // It begins with a write. What has been ended by us fails as well, and may still be on its way.
    if (below.bytesWritten === written || socket.writableEnded) return
    written = below.bytesWritten
    below.write('')
  }, LOOK_MS)
  timer.unref()
  below.once('close', () => clearInterval(timer))
}

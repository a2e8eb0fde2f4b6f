import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { Duplex } from 'node:stream'

/** A request as another parser reads it. */
export interface ReadByNode {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly version: string
}

/** Node's own HTTP server, whose parser is llhttp, without a network. */
export function openParser(): {
  readonly server: Server
  read(text: string): Promise<readonly ReadByNode[]>
} {
  let seen: ReadByNode[] = []
  const server = createServer(
    { insecureHTTPParser: false, requireHostHeader: false },
    (req, res) => {
      const { method = '', url: target = '', rawHeaders: headers, httpVersion: version } = req
      seen.push({ method, target, headers, version })
      req.resume()
      res.end()
    },
  )
  server.on('clientError', (_error, socket) => socket.destroy())
  return {
    server,
    async read(text) {
      seen = []
      const wire = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
      server.emit('connection', wire)
      wire.push(Buffer.from(text, 'latin1'))
      await new Promise((resolve) => setImmediate(resolve))
      wire.destroy()
      return seen
    },
  }
}

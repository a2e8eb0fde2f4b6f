import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { TlsOptions, TLSSocket } from 'node:tls'
import type { Test } from 'tap'

export interface TlsServer {
  readonly port: number
  /** What each handshake showed. */
  readonly seen: { servername: string | false; alpn: string | false | null; resumed: boolean }[]
}

/** A TLS server that says `text` to whatever comes; `text` asks for a close by its own headers. */
export async function tlsServer(t: Test, options: TlsOptions, text: string): Promise<TlsServer> {
  const seen: TlsServer['seen'] = []
  const sockets = new Set<TLSSocket>()
  const server = createServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, (socket) => {
    sockets.add(socket)
    const servername = (socket as TLSSocket & { servername?: string | false }).servername
    seen.push({
      servername: servername ?? false,
      alpn: socket.alpnProtocol,
      resumed: socket.isSessionReused(),
    })
    socket.on('error', () => {})
    socket.on('data', () => socket.end(text))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen }
}

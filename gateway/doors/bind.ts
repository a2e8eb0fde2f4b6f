import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Server } from 'node:net'
import type { ListenAddress } from '../config/types.ts'

/** Binds a server; resolves to `host:port`, or to the path of the unix socket. */
export async function bind(server: Server, listen: ListenAddress): Promise<string> {
  if (listen.kind === 'tcp') {
    await listening(server, { port: listen.port, host: listen.host })
    return textOf(server)
  }
  await removeStale(listen.path)
  await listening(server, { path: listen.path })
  return listen.path
}

type Place =
  | { readonly path: string }
  | { readonly port: number; readonly host: string | undefined }

function listening(server: Server, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...place }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** A killed gateway leaves its socket file behind; one that answers belongs to a gateway that is running. */
async function removeStale(path: string): Promise<void> {
  const fault = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const probe = connect(path)
    probe.once('error', resolve)
    probe.once('connect', () => {
      probe.destroy()
      resolve(undefined)
    })
  })
  if (fault?.code === 'ECONNREFUSED' && (await lstat(path)).isSocket()) await rm(path)
}

function textOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port')
  const host = address.address.includes(':') ? `[${address.address}]` : address.address
  return `${host}:${address.port}`
}

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

const SHAPE = 'write it like `postgres://user:password@host:5432/database`'
const MODES = ['disable', 'require', 'verify-full']
const PARAMETERS = ['host', 'user', 'sslmode', 'sslrootcert']

/** Where a database is, and how to get in. It holds the password. */
export interface DatabaseAddress {
  /** A host name or address, or the folder of a unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** False: in clear text. */
  readonly tls: false | { readonly rejectUnauthorized: boolean; readonly ca?: string }
}

/**
 * Reads a connection URI. Without `sslmode` a host that is not this machine must show a certificate for its name;
 * `?host=` names the folder of a unix socket.
 * @throws Error whose text shows nothing of the address but names of parameters
 */
export function readDatabaseAddress(text: string): DatabaseAddress {
  const url = parse(text)
  const query = parametersOf(url)
  const { hostname, pathname } = url
  const host =
    query.get('host') ?? (hostname === '' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''))
  const user = query.get('user') ?? decodeURIComponent(url.username)
  const database = decodeURIComponent(pathname.slice(1))
  if (user === '') throw fault('no user', SHAPE)
  if (database === '') throw fault('no database', SHAPE)
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    password: decodeURIComponent(url.password),
    database,
    tls: tlsOf(host, query),
  }
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return url
  throw fault('something else than a PostgreSQL address', SHAPE)
}

function parametersOf({ searchParams }: URL): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  for (const [name, value] of searchParams) {
    if (!PARAMETERS.includes(name) || known.has(name))
      throw fault(`the parameter \`${name}\``, `use each of ${PARAMETERS.join(', ')} at most once`)
    known.set(name, value)
  }
  return known
}

function tlsOf(host: string, query: ReadonlyMap<string, string>): DatabaseAddress['tls'] {
  const mode = query.get('sslmode') ?? (isHere(host) ? 'disable' : 'verify-full')
  if (!MODES.includes(mode)) throw fault(`sslmode \`${mode}\``, `use one of ${MODES.join(', ')}`)
  if (mode === 'disable') return false
  const file = query.get('sslrootcert')
  return {
    rejectUnauthorized: mode === 'verify-full',
    ...(file === undefined ? {} : { ca: readFileSync(file, 'utf8') }),
  }
}

function isHere(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

function fault(got: string, repair: string): Error {
  return new Error(`database address: got ${got}; ${repair}`)
}

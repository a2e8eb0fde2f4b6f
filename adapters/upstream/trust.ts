import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { Route } from './port.ts'

/** Where Linux distributions and BSDs keep the system's roots as one file. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

let systemRoots: readonly string[] | undefined

/** Node's own roots and the system's, read once. */
function roots(): readonly string[] {
  systemRoots ??= [...new Set([...tls.rootCertificates, ...readSystemRoots()])]
  return systemRoots
}

function readSystemRoots(): readonly string[] {
  // Node 22.15 and later know the system's store; the types of Node 20 do not.
  const modern = tls as { readonly getCACertificates?: (type: 'system') => string[] }
  if (modern.getCACertificates !== undefined) return modern.getCACertificates('system')
  for (const path of BUNDLES) {
    const found = readBundle(path)
    if (found.length > 0) return found
  }
  return []
}

function readBundle(path: string): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8')
    return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  } catch {
    // A bundle that is not there or not readable leaves the roots that Node brings.
    return []
  }
}

/** Whom a connection trusts, and as whom it shows itself. */
export type Trust = Pick<Route, 'ca' | 'clientCertificate'>

/** A short name for that, to keep connections of different trust apart. A certificate stands for its key. */
export function trustKey({ ca = [], clientCertificate }: Trust): string {
  if (ca.length === 0 && clientCertificate === undefined) return ''
  const parts = JSON.stringify([ca, clientCertificate?.cert])
  return createHash('sha256').update(parts).digest('base64url')
}

/** Loading some 150 roots costs milliseconds, so a context is made once for each of these. */
const contexts = new LRUCache<string, tls.SecureContext>({ max: 100 })

/** The context that trusts the system's roots and `ca` (PEM), with the client certificate where there is one. */
export function trustContext(trust: Trust): tls.SecureContext {
  const key = trustKey(trust)
  const known = contexts.get(key)
  if (known !== undefined) return known
  const { ca = [], clientCertificate: shown } = trust
  const made = tls.createSecureContext({
    ca: [...roots(), ...ca],
    ...(shown === undefined ? {} : { cert: shown.cert, key: shown.key.reveal() }),
  })
  contexts.set(key, made)
  return made
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { LRUCache } from 'lru-cache'

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

/** A short name for a set of extra certificates, to keep connections of different trust apart. */
export function trustKey(ca: readonly string[]): string {
  return ca.length === 0 ? '' : createHash('sha256').update(ca.join('\n')).digest('base64url')
}

/** Loading some 150 roots costs milliseconds, so a context is made once for each set of extra certificates. */
const contexts = new LRUCache<string, tls.SecureContext>({ max: 100 })

/** The context that trusts the system's roots and `ca` (PEM). */
export function trustContext(ca: readonly string[]): tls.SecureContext {
  const key = trustKey(ca)
  const known = contexts.get(key)
  if (known !== undefined) return known
  const made = tls.createSecureContext({ ca: [...roots(), ...ca] })
  contexts.set(key, made)
  return made
}

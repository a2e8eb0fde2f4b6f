import { X509Certificate } from 'node:crypto'

const BLOCK =
  /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED )?CERTIFICATE-----/g

function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}

/**
 * The certificates of a PEM text, each once, comments and everything else left out.
 * What does not parse is left out as well: one bad block must not cost the others.
 */
export function certificatesOf(text: string): readonly X509Certificate[] {
  const byPrint = new Map<string, X509Certificate>()
  for (const [block] of text.matchAll(BLOCK)) {
    const certificate = parsed(block)
    if (certificate !== undefined) byPrint.set(certificate.fingerprint256, certificate)
  }
  return [...byPrint.values()]
}

import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import type { X509Certificate } from '@peculiar/x509'
import { KeyObject, webcrypto } from 'node:crypto'

/** A server's certificate with its key, and the authority that clients must trust for it; all PEM. */
export interface Credentials {
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

/** Makes an authority that is known to nobody, and one certificate of it for `names`. */
export async function createCredentials(names: readonly string[]): Promise<Credentials> {
  const authorityKeys = await createKeys()
  const serverKeys = await createKeys()
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=upstreams of the test rig',
    keys: authorityKeys,
    ...validity(),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  })
  const server = await X509CertificateGenerator.create({
    subject: `CN=${names[0]}`,
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    ...validity(),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
    ],
  })
  return { authority: pem(authority), certificate: pem(server), key: keyPem(serverKeys.privateKey) }
}

function validity(): { notBefore: Date; notAfter: Date } {
  const now = Date.now()
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + DAY_MS) }
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

function keyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString()
}

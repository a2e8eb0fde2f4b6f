import 'reflect-metadata'
import {
  X509Certificate as NodeCertificate,
  createPublicKey,
  randomBytes,
  webcrypto,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto)

/** Who signs leaf certificates, and for which key. */
export interface Issuer {
  readonly ca: x509.X509Certificate
  readonly signingKey: webcrypto.CryptoKey
  readonly leafKey: webcrypto.CryptoKey
  readonly leafExtensions: readonly x509.Extension[]
}

const DAY = 86_400_000
// Back-dated, since the clocks of sandboxes run behind; the CA by more, so that it is never younger than a leaf.
const CA_BACK = 2 * DAY
const LEAF_BACK = DAY
const CA_DAYS = 3_650
// With LEAF_BACK 366 days: clients refuse more than 398 (CA/Browser Forum, Apple).
const LEAF_DAYS = 365
// X.520 bounds a common name at 64 characters; longer hosts stand in the SAN alone.
const MAX_COMMON_NAME = 64

const EC = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }

/** A self-signed CA certificate, PEM, without name constraints: which hosts are reached is policy's to say. */
export async function caCertificate(
  key: KeyObject,
  options: { readonly name: string; readonly now: number },
): Promise<string> {
  const publicKey = await importPublic(createPublicKey(key))
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    subject: [{ CN: [options.name] }],
    issuer: [{ CN: [options.name] }],
    notBefore: new Date(options.now - CA_BACK),
    notAfter: new Date(options.now + CA_DAYS * DAY),
    signingAlgorithm: SIGNING,
    publicKey,
    signingKey: await importPrivate(key),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  })
  return toPem(certificate)
}

/** Prepares what all leaf certificates have in common; `leafKey` is the key that every host serves with. */
export async function openIssuer(
  certPem: string,
  keys: { readonly caKey: KeyObject; readonly leafKey: KeyObject },
): Promise<Issuer> {
  const ca = new x509.X509Certificate(certPem)
  const leafKey = await importPublic(createPublicKey(keys.leafKey))
  return {
    ca,
    signingKey: await importPrivate(keys.caKey),
    leafKey,
    leafExtensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(ca.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(leafKey),
    ],
  }
}

/** A server certificate for one host name or address, PEM; it never outlives its issuer. */
export async function leafCertificate(issuer: Issuer, host: string, now: number): Promise<string> {
  const { ca, signingKey, leafKey, leafExtensions } = issuer
  const subject = host.length <= MAX_COMMON_NAME ? [{ CN: [host] }] : []
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    subject,
    issuer: ca.subjectName.toJSON(),
    notBefore: new Date(now - LEAF_BACK),
    notAfter: new Date(Math.min(now + LEAF_DAYS * DAY, ca.notAfter.getTime())),
    signingAlgorithm: SIGNING,
    publicKey: leafKey,
    signingKey,
    extensions: [
      ...leafExtensions,
      // Critical where the subject is empty (RFC 5280, 4.2.1.6).
      new x509.SubjectAlternativeNameExtension(
        [{ type: isIP(host) ? 'ip' : 'dns', value: host }],
        subject.length === 0,
      ),
    ],
  })
  return toPem(certificate)
}

/** 126 random bits: the top bit clear keeps the INTEGER positive, the next one set keeps DER from a leading zero. */
function randomSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

/** By OpenSSL, which never ends a PEM with a short or empty line that another parser trips over. */
function toPem(certificate: x509.X509Certificate): string {
  return new NodeCertificate(Buffer.from(certificate.rawData)).toString()
}

function importPublic(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const spki = key.export({ type: 'spki', format: 'der' })
  return webcrypto.subtle.importKey('spki', spki, EC, true, ['verify'])
}

function importPrivate(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', pkcs8, EC, false, ['sign'])
}

import { createHash } from 'node:crypto'

/** One DER element: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(8, '0'), 'hex')
  const significant = length.subarray(length.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.from([tag, 0x80 | significant.length]), significant, body])
}

const TAG = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
  zero: 0xa0,
} as const

/** Base 128, most significant group first, as X.690 section 8.19 has it. */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
      groups.unshift((left % 128) | 0x80)
    }
    return groups
  })
  return der(TAG.oid, Buffer.from(bytes))
}

const DATA = oid('1.2.840.113549.1.7.1')
const CERT_BAG = oid('1.2.840.113549.1.12.10.1.3')
const X509 = oid('1.2.840.113549.1.9.22.1')
const FRIENDLY_NAME = oid('1.2.840.113549.1.9.20')
/** Oracle's attribute, without which the JDK takes an entry for a mere chain member. */
const TRUSTED_KEY_USAGE = oid('2.16.840.1.113894.746875.1.1')
const ANY_USAGE = oid('2.5.29.37.0')

function contentInfo(content: Uint8Array): Buffer {
  return der(TAG.sequence, DATA, der(TAG.zero, der(TAG.octets, content)))
}

function attribute(type: Uint8Array, value: Uint8Array): Buffer {
  return der(TAG.sequence, type, der(TAG.set, value))
}

function alias(certificate: Uint8Array): Buffer {
  const name = createHash('sha256').update(certificate).digest('hex').slice(0, 32)
  return der(TAG.bmp, Buffer.from(name, 'utf16le').swap16())
}

function certBag(certificate: Uint8Array): Buffer {
  return der(
    TAG.sequence,
    CERT_BAG,
    der(TAG.zero, der(TAG.sequence, X509, der(TAG.zero, der(TAG.octets, certificate)))),
    der(
      TAG.set,
      attribute(FRIENDLY_NAME, alias(certificate)),
      attribute(TRUSTED_KEY_USAGE, ANY_USAGE),
    ),
  )
}

/**
 * A PKCS #12 trust store (RFC 7292) of the given DER certificates, without password, encryption or
 * MAC: it holds nothing secret, and every JDK since 8 reads it so. Written here, not by keytool,
 * since that takes a JVM start per certificate and is missing where the JVM is in a container.
 */
export function createTruststore(certificates: readonly Uint8Array[]): Buffer {
  const bags = der(TAG.sequence, ...certificates.map(certBag))
  const safe = der(TAG.sequence, contentInfo(bags))
  return der(TAG.sequence, der(TAG.integer, Buffer.from([3])), contentInfo(safe))
}

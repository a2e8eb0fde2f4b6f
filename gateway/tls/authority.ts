import { createPrivateKey, generateKeyPair, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Clock } from '../../adapters/clock/port.ts'
import { loadPair, storePair } from './ca-files.ts'
import { caCertificate, leafCertificate, openIssuer } from './certificates.ts'

/** A certificate for one host, with the key that all hosts share; both PEM. */
export interface Leaf {
  readonly cert: string
  readonly key: string
}

/** The gateway's own certificate authority, which clients have to trust for interception. */
export interface Authority {
  /** The CA's certificate, PEM: what clients get to trust. */
  readonly caPem: string
  /** Where that certificate lies. */
  readonly caFile: string
  /** Issues a certificate for a canonical host name or address. Each call issues anew: see `createLeafCache`. */
  leaf(host: string): Promise<Leaf>
}

export interface AuthorityOptions {
  /** The folder of `ca.pem` and `ca.key`, made on first use: `<state>/ca`. */
  readonly folder: string
  readonly clock: Clock
}

/**
 * Loads the CA of a state folder, or makes it on first use. Rejects, with the repair, where half of it is
 * missing, its key can be read by others, the two do not fit, or the certificate has run out.
 */
export async function createAuthority(options: AuthorityOptions): Promise<Authority> {
  const pair = (await loadPair(options)) ?? (await makePair(options))
  // One key for every host: making a key costs more than signing, and a second one would protect nothing,
  // since both would lie in this process.
  const leafKey = await makeKey()
  const issuer = await openIssuer(pair.certPem, { caKey: createPrivateKey(pair.keyPem), leafKey })
  const key = pemOf(leafKey)
  return {
    caPem: pair.certPem,
    caFile: pair.certFile,
    leaf: async (host) => ({ cert: await leafCertificate(issuer, host, options.clock.now()), key }),
  }
}

async function makePair(options: AuthorityOptions) {
  const key = await makeKey()
  const name = `Narrowgate CA ${randomBytes(4).toString('hex')}`
  const certPem = await caCertificate(key, { name, now: options.clock.now() })
  await storePair(options.folder, { certPem, keyPem: pemOf(key) })
  // Read back instead of trusted: where two processes started at once, only one pair is in the folder.
  const stored = await loadPair(options)
  if (!stored) throw new Error(`${options.folder}: the new CA cannot be read back; check the disk`)
  return stored
}

async function makeKey(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  return privateKey
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

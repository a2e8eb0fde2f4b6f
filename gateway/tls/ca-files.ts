import { X509Certificate, createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { mkdir, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../adapters/clock/port.ts'

/** The CA as it lies on disk, both PEM. */
export interface CaPair {
  readonly certPem: string
  readonly keyPem: string
}

export interface StoredPair extends CaPair {
  readonly certFile: string
}

const CERT_FILE = 'ca.pem'
const KEY_FILE = 'ca.key'
const ANEW =
  'remove the folder to have a new CA made, which every client must then be told to trust'

/** Reads and checks the pair; undefined where the folder holds neither file. */
export async function loadPair(options: {
  readonly folder: string
  readonly clock: Clock
}): Promise<StoredPair | undefined> {
  const certFile = join(options.folder, CERT_FILE)
  const keyFile = join(options.folder, KEY_FILE)
  const [certPem, keyPem] = await Promise.all([readIfThere(certFile), readIfThere(keyFile)])
  if (certPem === undefined && keyPem === undefined) return undefined
  if (certPem === undefined) throw half(certFile, keyFile)
  if (keyPem === undefined) throw half(keyFile, certFile)
  await refuseReadableByOthers(keyFile)
  const certificate = parseCertificate(certFile, certPem)
  const key = parseKey(keyFile, keyPem)
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(
      `${keyFile}: the key does not fit ${certFile}; restore the two together, or ${ANEW}`,
    )
  }
  if (Date.parse(certificate.validTo) <= options.clock.now()) {
    throw new Error(`${certFile}: the CA ran out on \`${certificate.validTo}\`; ${ANEW}`)
  }
  return { certPem, keyPem, certFile }
}

/**
 * Puts both files in place in one step, so that a crash never leaves half a CA, and never over another one:
 * where the folder was filled in the meantime, what is there stays.
 */
export async function storePair(folder: string, pair: CaPair): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const fresh = await mkdtemp(`${folder}.new-`)
  try {
    await writeDurably(join(fresh, KEY_FILE), pair.keyPem, 0o600)
    await writeDurably(join(fresh, CERT_FILE), pair.certPem, 0o644)
    await rename(fresh, folder)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!isErrno(error, 'ENOTEMPTY') && !isErrno(error, 'EEXIST')) throw error
  }
}

async function writeDurably(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

async function refuseReadableByOthers(keyFile: string): Promise<void> {
  const mode = (await stat(keyFile)).mode & 0o777
  if ((mode & 0o077) === 0) return
  const got = mode.toString(8).padStart(4, '0')
  throw new Error(
    `${keyFile}: others may read the key, its mode is \`${got}\`; run chmod 600 ${keyFile}`,
  )
}

function parseCertificate(file: string, pem: string): X509Certificate {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(pem)
  } catch (cause) {
    throw new Error(`${file}: not a PEM certificate; restore it, or ${ANEW}`, { cause })
  }
  if (certificate.ca) return certificate
  const got = certificate.subject.replaceAll('\n', ', ')
  throw new Error(`${file}: \`${got}\` is not the certificate of a CA; restore it, or ${ANEW}`)
}

function parseKey(file: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: OpenSSL's message may quote what it could not parse.
    throw new Error(`${file}: not a PEM private key; restore it, or ${ANEW}`)
  }
}

function half(missing: string, present: string): Error {
  return new Error(`${missing}: missing, while ${present} is there; restore it, or ${ANEW}`)
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

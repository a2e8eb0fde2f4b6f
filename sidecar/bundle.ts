import { createHash, type X509Certificate } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { BUNDLE_VARIABLES, type TrustFiles } from './environment.ts'
import { namedTruststore } from './java.ts'
import { certificatesOf } from './pem.ts'
import { createTruststore } from './truststore.ts'

export interface TrustSources {
  /** The gateway's CA, PEM file. */
  readonly caFile: string
  /** The folder under which the files are kept; they are named by their content. */
  readonly folder: string
  readonly own: Readonly<Record<string, string | undefined>>
}

/** Where Debian, Red Hat, Alpine and SUSE keep their roots in one file. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const

/** The system's roots; where there is no bundle, those that Node carries. */
function systemRoots(): string {
  const file = SYSTEM_BUNDLES.find((path) => existsSync(path))
  return file === undefined ? rootCertificates.join('\n') : readFileSync(file, 'utf8')
}

/** The text of a bundle, or of all files in a folder; empty where it cannot be read. */
function readCertificates(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
    return readdirSync(path)
      .map((name) => readFileSync(join(path, name), 'utf8'))
      .join('\n')
  } catch {
    return ''
  }
}

/** `keytool -list -rfc` prints a whole store as PEM in one start of the JVM. */
function ownTruststore(options: string | undefined): string {
  const store = namedTruststore(options)
  if (store === undefined) return ''
  try {
    return execFileSync(
      'keytool',
      ['-list', '-rfc', '-keystore', store.file, '-storepass:env', 'STORE_PASSWORD'],
      {
        encoding: 'utf8',
        timeout: 20_000,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { PATH: process.env['PATH'], STORE_PASSWORD: store.password },
      },
    )
  } catch {
    return ''
  }
}

/** What the operator trusted before: every bundle that a variable names, and a JVM's own store. */
function ownCertificates(own: TrustSources['own']): string {
  const files = new Set(
    BUNDLE_VARIABLES.map((name) => own[name]).filter((path) => path !== undefined),
  )
  return [...[...files].map(readCertificates), ownTruststore(own['JAVA_TOOL_OPTIONS'])].join('\n')
}

function pem(certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join('')
}

/** OpenSSL finds a certificate in a folder by a hash of its subject; Go reads whatever is there. */
function opensslName(caFile: string): string {
  try {
    const hash = execFileSync('openssl', ['x509', '-hash', '-noout', '-in', caFile], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return `${hash.trim()}.0`
  } catch {
    return 'narrowgate-ca.pem'
  }
}

/** Writes beside and renames, so that a program that starts meanwhile reads all or nothing. */
function writeWhole(file: string, content: string | Buffer): void {
  if (existsSync(file)) return
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, content, { mode: 0o644 })
  renameSync(draft, file)
}

/**
 * Makes the merged trust files. The folder's name is a hash of what is in them, so that runs with
 * different certificates of their own do not disturb each other. Throws where the CA is not readable.
 */
export function createTrustFiles({ caFile, folder, own }: TrustSources): TrustFiles {
  const ca = readFileSync(caFile, 'utf8')
  const extra = certificatesOf(`${ownCertificates(own)}\n${ca}`)
  const all = certificatesOf(`${systemRoots()}\n${pem(extra)}`)
  const name = createHash('sha256').update(pem(all)).update(pem(extra)).digest('hex').slice(0, 16)
  const home = join(folder, name)
  const files: TrustFiles = {
    bundle: join(home, 'bundle.pem'),
    extra: join(home, 'extra.pem'),
    folder: join(home, 'certs'),
    truststore: join(home, 'truststore.p12'),
  }
  mkdirSync(files.folder, { recursive: true, mode: 0o755 })
  writeWhole(files.bundle, pem(all))
  writeWhole(files.extra, pem(extra))
  writeWhole(join(files.folder, opensslName(caFile)), ca)
  writeWhole(files.truststore, createTruststore(all.map(({ raw }) => raw)))
  return files
}

import { X509Certificate } from 'node:crypto'
import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { RawClientCertificate } from '../raw.ts'
import type { Report } from '../report.ts'
import type { ClientCertificateConfig } from '../types.ts'
import { buildSecret } from './secret.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

interface Context {
  readonly at: string
  readonly files: ConfigFiles
  readonly report: Report
}

/** The blocks of a file of certificates, without the words around them. */
export function readCertificates(path: string, { at, files, report }: Context): string | undefined {
  const read = files.read(path)
  if ('why' in read) {
    report.add(at, `${showGot(path)} (${read.why})`, 'name a PEM file that can be read')
    return undefined
  }
  const blocks = read.text.match(CERTIFICATE) ?? []
  if (blocks.length > 0 && blocks.every(isCertificate)) return `${blocks.join('\n')}\n`
  report.add(
    at,
    `${showGot(path)}, which holds no certificate or a broken one`,
    'name a PEM file of certificates',
  )
  return undefined
}

/** Whether its key belongs to it shows when the secrets are read. */
export function buildClientCertificate(
  raw: RawClientCertificate | undefined,
  { at, files, report }: Context,
): ClientCertificateConfig | undefined {
  if (raw === undefined || !report.usable(at)) return undefined
  const cert = report.field(`${at}.cert`, raw.cert, (path, where) =>
    readCertificates(path, { at: where, files, report }),
  )
  const key = report.field(`${at}.key`, raw.key, (source) => buildSecret(source, files))
  return cert === undefined || key === undefined ? undefined : { cert, key }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

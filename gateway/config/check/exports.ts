import type { SecretSource } from '../../../adapters/keys/port.ts'
import type { ConfigFiles } from '../files.ts'
import { hideGot, showGot } from '../got.ts'
import type { RawExport } from '../raw.ts'
import type { Report } from '../report.ts'
import type { BucketConfig, ExportConfig } from '../types.ts'
import { buildSecret } from './secret.ts'

const DEFAULTS = { batch: 100, deadlineMs: 10_000, maxBytes: 16_777_216, maxSeconds: 300 } as const

interface Type {
  /** The key without which it cannot be. */
  readonly needs: 'url' | 'folder' | 'bucket'
  readonly takes: readonly (keyof RawExport)[]
  readonly formats: readonly RawExport['format'][]
}

/** One row for each type; all of them take name, type and format. */
const TYPES: Readonly<Record<RawExport['type'], Type>> = {
  webhook: {
    needs: 'url',
    takes: ['url', 'secret', 'authorization', 'batch', 'deadline_ms'],
    formats: ['json', 'ocsf'],
  },
  otlp: {
    needs: 'url',
    takes: ['url', 'authorization', 'batch', 'deadline_ms'],
    formats: ['json', 'ocsf'],
  },
  files: {
    needs: 'folder',
    takes: ['folder', 'max_bytes', 'max_seconds'],
    formats: ['json', 'ocsf', 'parquet'],
  },
  bucket: {
    needs: 'bucket',
    takes: ['bucket', 'prefix', 'max_bytes', 'max_seconds'],
    formats: ['json', 'ocsf', 'parquet'],
  },
}

/** What any type takes; keys beyond are not known, and the schema has told so. */
const ALL = [...new Set(Object.values(TYPES).flatMap(({ takes }) => takes))]

/** What building them needs. */
export interface ExportContext {
  readonly buckets: readonly BucketConfig[]
  readonly files: ConfigFiles
  readonly report: Report
}

/** All places that the feed is carried to; each has a name of its own. */
export function buildExports(
  raw: readonly RawExport[] | undefined,
  context: ExportContext,
): readonly ExportConfig[] {
  const { report } = context
  const names = new Set<string>()
  return report.items('ledger.exports', raw, (sink, at) => {
    if (names.has(sink.name))
      report.add(`${at}.name`, `${showGot(sink.name)} a second time`, 'give it another name')
    names.add(sink.name)
    return report.field(at, sink, () => buildExport(sink, at, context))
  })
}

function buildExport(raw: RawExport, at: string, context: ExportContext): ExportConfig | undefined {
  const { files, report } = context
  const { type, name } = raw
  checkKeys(raw, at, report)
  const secret = (source: SecretSource | undefined) => source && buildSecret(source, files)
  if (type === 'files' || type === 'bucket') return buildFiles(raw, at, context)
  const url = raw.url === undefined ? undefined : buildUrl(raw.url, `${at}.url`, report)
  if (url === undefined || raw.format === 'parquet') return undefined
  const posting = {
    name,
    url,
    authorization: secret(raw.authorization),
    format: raw.format,
    batch: raw.batch ?? DEFAULTS.batch,
    deadlineMs: raw.deadline_ms ?? DEFAULTS.deadlineMs,
  }
  return type === 'webhook'
    ? { type, ...posting, secret: secret(raw.secret) }
    : { type, ...posting }
}

function buildFiles(raw: RawExport, at: string, context: ExportContext): ExportConfig | undefined {
  const { name, format, folder, bucket, prefix = '' } = raw
  const common = {
    name,
    format,
    maxBytes: raw.max_bytes ?? DEFAULTS.maxBytes,
    maxSeconds: raw.max_seconds ?? DEFAULTS.maxSeconds,
  }
  if (raw.type === 'files')
    return folder === undefined
      ? undefined
      : { type: 'files', ...common, folder: context.files.expand(folder) }
  if (bucket === undefined) return undefined
  const { buckets, report } = context
  if (!buckets.some((known) => known.name === bucket && !known.readOnly))
    report.add(`${at}.bucket`, showGot(bucket), 'name one of `buckets` that is not `read_only`')
  return { type: 'bucket', ...common, bucket, prefix }
}

function checkKeys(raw: RawExport, at: string, report: Report): void {
  const { needs, takes, formats } = TYPES[raw.type]
  if (raw[needs] === undefined) report.add(`${at}.${needs}`, 'nothing', 'add it')
  const strangers = ALL.filter((key) => raw[key] !== undefined && !takes.includes(key))
  for (const key of strangers)
    report.add(
      `${at}.${key}`,
      `a key that \`${raw.type}\` does not take`,
      `remove it, or use one of: ${takes.join(', ')}`,
    )
  if (!formats.includes(raw.format))
    report.add(
      `${at}.format`,
      `${showGot(raw.format)} of \`${raw.type}\``,
      `write one of: ${formats.join(', ')}`,
    )
}

function buildUrl(text: string, at: string, report: Report): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    report.add(at, hideGot(text), 'write it like `https://siem.example.com/events`')
    return undefined
  }
  if (url.username === '' && url.password === '') return url.href
  report.add(at, 'an address with credentials (not shown)', 'use `authorization` in their place')
  return undefined
}

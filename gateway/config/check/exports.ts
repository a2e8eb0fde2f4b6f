import type { SecretSource } from '../../../adapters/keys/port.ts'
import type { ConfigFiles } from '../files.ts'
import { hideGot, showGot } from '../got.ts'
import type { RawExport } from '../raw.ts'
import type { Report } from '../report.ts'
import type { ExportConfig } from '../types.ts'
import { buildSecret } from './secret.ts'

const DEFAULTS = { batch: 100, deadlineMs: 10_000, maxBytes: 16_777_216, maxSeconds: 300 } as const

interface Type {
  /** The key without which it cannot be. */
  readonly needs: 'url' | 'folder'
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
}

/** What any type takes; keys beyond are not known, and the schema has told so. */
const ALL = [...new Set(Object.values(TYPES).flatMap(({ takes }) => takes))]

/** All places that the feed is carried to; each has a name of its own. */
export function buildExports(
  raw: readonly RawExport[] | undefined,
  files: ConfigFiles,
  report: Report,
): readonly ExportConfig[] {
  const names = new Set<string>()
  return report.items('ledger.exports', raw, (sink, at) => {
    if (names.has(sink.name))
      report.add(`${at}.name`, `${showGot(sink.name)} a second time`, 'give it another name')
    names.add(sink.name)
    return report.field(at, sink, () => buildExport(sink, at, { files, report }))
  })
}

interface Context {
  readonly files: ConfigFiles
  readonly report: Report
}

function buildExport(raw: RawExport, at: string, context: Context): ExportConfig | undefined {
  const { files, report } = context
  const { type, name } = raw
  checkKeys(raw, at, report)
  const secret = (source: SecretSource | undefined) => source && buildSecret(source, files)
  if (type === 'files') {
    const { folder, format, max_bytes, max_seconds } = raw
    const bounds = {
      maxBytes: max_bytes ?? DEFAULTS.maxBytes,
      maxSeconds: max_seconds ?? DEFAULTS.maxSeconds,
    }
    return folder === undefined
      ? undefined
      : { type, name, folder: files.expand(folder), format, ...bounds }
  }
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

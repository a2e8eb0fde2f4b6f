import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { AnchorConfig, LedgerConfig, LedgerIndexConfig } from '../types.ts'
import { buildExports, type ExportContext } from './exports.ts'
import { buildSecret } from './secret.ts'

/** Of a file that is no mapping there is nothing; its own fault is reported. */
export function buildLedger(
  raw: RawConfig['ledger'] | undefined,
  context: ExportContext,
): LedgerConfig {
  const { files, report } = context
  const {
    driver,
    mode,
    name,
    checkpoint_ms: checkpointMs,
    segment_bytes: segmentBytes,
  } = raw ?? NOTHING
  const index = buildIndex(raw?.index, files, report)
  const exports = buildExports(raw?.exports, context)
  const anchor = buildAnchor(raw?.anchor, context)
  return { driver, mode, name, checkpointMs, segmentBytes, anchor, index, exports }
}

/** What cannot be written to holds nothing. */
function buildAnchor(
  raw: RawConfig['ledger']['anchor'],
  { buckets, report }: ExportContext,
): AnchorConfig | undefined {
  if (raw === undefined) return undefined
  const { bucket, prefix, deadline_ms: deadlineMs } = raw
  if (!buckets.some((known) => known.name === bucket && !known.readOnly))
    report.add(
      'ledger.anchor.bucket',
      showGot(bucket),
      'name one of `buckets` that is not `read_only`',
    )
  return { bucket, prefix, deadlineMs }
}

/** A database needs an address, and the embedded index has none. */
function buildIndex(
  { driver, url: source }: RawConfig['ledger']['index'] = { driver: 'embedded' },
  files: ConfigFiles,
  report: Report,
): LedgerIndexConfig {
  const path = 'ledger.index.url'
  const url = report.field(path, source, (written) => buildSecret(written, files))
  if (driver === 'postgres' && source === undefined)
    report.add(path, 'nothing', 'name where the address of the database is read from')
  if (driver === 'embedded' && source !== undefined)
    report.add(
      path,
      'an address without `driver: postgres`',
      'set ledger.index.driver, or remove it',
    )
  return { driver, url }
}

const NOTHING: RawConfig['ledger'] = {
  driver: 'embedded',
  mode: 'strict',
  name: '',
  checkpoint_ms: 0,
  segment_bytes: 0,
  index: { driver: 'embedded' },
  exports: [],
}

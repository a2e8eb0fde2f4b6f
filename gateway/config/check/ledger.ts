import type { ConfigFiles } from '../files.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { LedgerConfig, LedgerIndexConfig } from '../types.ts'
import { buildExports } from './exports.ts'
import { buildSecret } from './secret.ts'

/** Of a file that is no mapping there is nothing; its own fault is reported. */
export function buildLedger(
  raw: RawConfig['ledger'] | undefined,
  files: ConfigFiles,
  report: Report,
): LedgerConfig {
  const {
    driver,
    mode,
    name,
    checkpoint_ms: checkpointMs,
    segment_bytes: segmentBytes,
  } = raw ?? NOTHING
  const index = buildIndex(raw?.index, files, report)
  const exports = buildExports(raw?.exports, files, report)
  return { driver, mode, name, checkpointMs, segmentBytes, index, exports }
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

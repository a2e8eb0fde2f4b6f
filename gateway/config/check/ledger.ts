import type { ConfigFiles } from '../files.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { LedgerConfig } from '../types.ts'
import { buildExports } from './exports.ts'

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
  const exports = buildExports(raw?.exports, files, report)
  return { driver, mode, name, checkpointMs, segmentBytes, exports }
}

const NOTHING: RawConfig['ledger'] = {
  driver: 'embedded',
  mode: 'strict',
  name: '',
  checkpoint_ms: 0,
  segment_bytes: 0,
  exports: [],
}

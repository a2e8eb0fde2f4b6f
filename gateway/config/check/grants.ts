import type { ConfigFiles } from '../files.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { GrantsConfig } from '../types.ts'
import { buildSecret } from './secret.ts'

/** A database needs an address, and the embedded store has none. */
export function buildGrants(
  raw: RawConfig['grants'] | undefined,
  files: ConfigFiles,
  report: Report,
): GrantsConfig {
  const { driver, url: source, stale_ms: staleMs, limits } = raw ?? NOTHING
  const { calls_per_minute: callsPerMinute, concurrent } = limits ?? {}
  const url = report.field('grants.url', source, (written) => buildSecret(written, files))
  if (driver === 'postgres' && source === undefined)
    report.add('grants.url', 'nothing', 'name where the address of the database is read from')
  if (driver === 'embedded' && source !== undefined)
    report.add(
      'grants.url',
      'an address without `driver: postgres`',
      'set grants.driver, or remove it',
    )
  return { driver, url, staleMs, limits: { callsPerMinute, concurrent } }
}

/** Of a file that is no mapping; it is of no use, and its own fault is reported. */
const NOTHING: RawConfig['grants'] = { driver: 'embedded', stale_ms: 0 }

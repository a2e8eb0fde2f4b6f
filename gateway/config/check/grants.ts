import type { ConfigFiles } from '../files.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { GrantsConfig } from '../types.ts'
import { buildSecret } from './secret.ts'

/** A database needs an address, and the embedded store has none. */
export function buildGrants(
  raw: RawConfig['grants'],
  files: ConfigFiles,
  report: Report,
): GrantsConfig {
  const { driver, stale_ms: staleMs } = raw
  const url = report.field('grants.url', raw.url, (source) => buildSecret(source, files))
  if (driver === 'postgres' && raw.url === undefined)
    report.add('grants.url', 'nothing', 'name where the address of the database is read from')
  if (driver === 'embedded' && raw.url !== undefined)
    report.add(
      'grants.url',
      'an address without `driver: postgres`',
      'set grants.driver, or remove it',
    )
  return { driver, url, staleMs }
}

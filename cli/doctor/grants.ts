import type { Offline } from '../../gateway/offline.ts'
import { failed, ok, unproven, why, type Finding } from './finding.ts'

/** Whether the database of grants, where there is one, can be reached and is made for this version. */
export function checkGrants(place: Offline): Promise<readonly Finding[]> {
  return checkDatabase('grants', () => place.examineGrants(), 'grants.url')
}

/** The same of the database of the ledger’s index. */
export function checkIndex(place: Offline): Promise<readonly Finding[]> {
  return checkDatabase('ledger index', () => place.examineIndex(), 'ledger.index.url')
}

async function checkDatabase(
  name: string,
  examine: Offline['examineGrants'],
  setting: string,
): Promise<readonly Finding[]> {
  try {
    const found = await examine()
    if (found === undefined) return []
    const seen = `PostgreSQL ${found.server}, schema ${found.schema} of ${found.wanted}`
    return found.schema === found.wanted
      ? [ok(name, seen)]
      : [unproven(name, seen, 'start narrowgate serve once: it makes or migrates the schema')]
  } catch (error) {
    return [failed(name, why(error), `see ${setting} in the configuration, and docs/operations.md`)]
  }
}

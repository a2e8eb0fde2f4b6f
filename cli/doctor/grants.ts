import type { Offline } from '../../gateway/offline.ts'
import { failed, ok, unproven, why, type Finding } from './finding.ts'

/** Whether the database of grants, where there is one, can be reached and is made for this version. */
export async function checkGrants(place: Offline): Promise<readonly Finding[]> {
  try {
    const found = await place.examineGrants()
    if (found === undefined) return []
    const seen = `PostgreSQL ${found.server}, schema ${found.schema} of ${found.wanted}`
    return found.schema === found.wanted
      ? [ok('grants', seen)]
      : [unproven('grants', seen, 'start narrowgate serve once: it makes or migrates the schema')]
  } catch (error) {
    return [
      failed('grants', why(error), 'see grants.url in the configuration, and docs/operations.md'),
    ]
  }
}

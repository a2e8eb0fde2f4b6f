import type { OnlyIf } from '../bucket.ts'
import { ANY, etagsOf, holdsForNone } from './condition.ts'

/** A condition as SQL, over the columns `etag` (text) and `uploaded` (whole ms) of the row that is there. */
export interface ConditionSql {
  /** Whether a write goes through where there is no row. */
  readonly onNone: boolean
  /** Holds where a write goes through over the row that is there. */
  readonly where: string
}

/** Writes `holds` as SQL; `bind` takes a value and gives its placeholder in the statement. */
export function conditionSql(
  onlyIf: OnlyIf | undefined,
  bind: (value: string | number) => string,
): ConditionSql {
  if (onlyIf === undefined) return { onNone: true, where: 'TRUE' }
  const { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter } = onlyIf
  const seconds = onlyIf.secondsGranularity === true
  const column = seconds ? 'objects.uploaded / 1000' : 'objects.uploaded'
  const time = (ms: number) => bind(seconds ? Math.floor(ms / 1000) : ms)
  const named = (etags: string | readonly string[]) => {
    const list = etagsOf(etags)
    return list.includes(ANY) ? 'TRUE' : `objects.etag IN (${list.map(bind).join(', ')})`
  }
  const terms: string[] = []
  if (etagMatches !== undefined) terms.push(named(etagMatches))
  else if (uploadedBefore !== undefined) terms.push(`${column} < ${time(uploadedBefore)}`)
  if (etagDoesNotMatch !== undefined) terms.push(`NOT (${named(etagDoesNotMatch)})`)
  else if (uploadedAfter !== undefined) terms.push(`${column} > ${time(uploadedAfter)}`)
  const where = terms.length === 0 ? 'TRUE' : terms.join(' AND ')
  return { onNone: holdsForNone(onlyIf), where }
}

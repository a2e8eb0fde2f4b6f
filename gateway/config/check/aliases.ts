import type { Alias } from '../../../catalog/index.ts'
import { showGot } from '../got.ts'
import type { Report } from '../report.ts'

/** The aliases, each with words that a question can hold. */
export function buildAliases(
  aliases: readonly Alias[] | undefined,
  report: Report,
): readonly Alias[] {
  return report.items('aliases', aliases, (alias, at) => {
    if (!/[\p{L}\p{N}]/u.test(alias.words))
      report.add(`${at}.words`, showGot(alias.words), 'write words of letters or digits')
    return alias
  })
}

import type { Grant } from '../../../adapters/grants/port.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { table } from '../../table.ts'
import { defineVerb } from '../../verb.ts'

type Listed = Grant & { readonly revoked?: string }

/** The values of the lines of one axis, as they stand. */
function valueOf(lines: readonly string[], axis: string): string {
  const values = lines
    .filter((line) => line.startsWith(`${axis} `))
    .map((line) => line.split(' ').slice(2).join(' '))
  return values.at(-1) ?? '-'
}

function rowOf(grant: Listed): readonly string[] {
  return [
    grant.id,
    grant.minted.slice(0, 19),
    grant.by,
    valueOf(grant.lines, 'task'),
    valueOf(grant.lines, 'tools'),
    valueOf(grant.lines, 'expires'),
    valueOf(grant.lines, 'uses'),
    grant.revoked === undefined ? 'good' : 'revoked',
  ]
}

const HEAD = ['GRANT', 'MINTED', 'BY', 'TASK', 'TOOLS', 'EXPIRES', 'USES', 'STATE'] as const

/** Lists what was minted on this state; tokens themselves are kept nowhere. */
export const list = defineVerb({
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [['', 'every grant with its limits']],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const grants = await place.withGrants((store) => store.list())
    if (values.json) terminal.out.line(JSON.stringify(grants))
    else if (grants.length === 0)
      terminal.err.line('no grant was minted here yet: narrowgate grant mint --help')
    else terminal.out.write(table(HEAD, grants.map(rowOf)))
    return EXIT.ok
  },
})

import type { Offline } from '../../../gateway/offline.ts'
import { wordsOf } from '../../../gateway/line-words.ts'
import { EXIT, Fault } from '../../exit.ts'
import { table } from '../../table.ts'
import type { Screen } from '../../terminal.ts'

interface LineSaid {
  readonly line: string
  readonly says: string
}

/** What is recorded of a grant, without its token. */
export interface KnownGrant {
  readonly id: string
  readonly minted: string
  readonly by: string
  readonly lines: readonly LineSaid[]
  readonly leash: readonly LineSaid[]
  readonly revoked?: string
}

/** Looks a grant up by its id. */
export async function findGrant(id: string, place: Offline): Promise<KnownGrant> {
  const found = await place.withGrants((grants) => grants.get(id))
  if (found === undefined)
    throw new Fault(
      EXIT.no,
      `grant: there is none of the id \`${id}\``,
      'narrowgate grant list shows the ids; a token begins with g1.',
    )
  const { minted, by, lines, leash, revoked } = found
  const known = { id, minted, by, lines: lines.map(said), leash: leash.map(said) }
  return { ...known, ...(revoked === undefined ? {} : { revoked }) }
}

export function said(line: string): LineSaid {
  return { line, says: wordsOf(line) }
}

export function printGrant(
  { id, minted, by, lines, leash, revoked }: KnownGrant,
  out: Screen,
): void {
  out.line(`grant ${out.bold(id)}  minted ${minted} by ${by}`)
  out.write(table(['  LINE', 'MEANS'], lines.map(rowOf)))
  printLeash(leash, out)
  out.line(revoked === undefined ? 'not revoked' : out.bad(`revoked ${revoked}`))
}

/** Nothing where there is none. */
export function printLeash(leash: readonly LineSaid[], out: Screen): void {
  if (leash.length > 0) out.write(table(['  LEASH', 'MEANS'], leash.map(rowOf)))
}

function rowOf({ line, says }: LineSaid): readonly string[] {
  return [`  ${line}`, says]
}

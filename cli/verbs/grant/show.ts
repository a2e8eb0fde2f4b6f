import {
  TokenFault,
  createLeashing,
  unsafeReadToken,
  verifyToken,
  type VerifiedToken,
} from '../../../policy/index.ts'
import type { Offline } from '../../../gateway/offline.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { readToken } from '../../stdin.ts'
import { printable, table } from '../../table.ts'
import type { Screen, Terminal } from '../../terminal.ts'
import { defineVerb } from '../../verb.ts'
import { findGrant, printGrant, printLeash, said } from './known.ts'

interface LineSaid {
  readonly line: string
  readonly says: string
  readonly link?: string
}

interface UsesLeft {
  readonly link: string
  readonly limit: number
  readonly used: number
}

/** All that can be told of a token here. */
interface Shown {
  readonly id: string
  readonly verified: boolean
  /** Why it does not verify. */
  readonly reason?: string
  readonly lines: readonly LineSaid[]
  /** What owners put on the grant since. */
  readonly leash: readonly LineSaid[]
  readonly uses: readonly UsesLeft[]
  /** The id or link that is revoked. */
  readonly revoked?: string
}

async function showVerified(token: VerifiedToken, place: Offline): Promise<Shown> {
  const lines = token.lines.map((line, index) => ({
    ...said(line),
    link: token.links[index + 1] ?? token.link,
  }))
  const { leash, limits, revoked } = await place.withGrants((grants) => ({
    leash: grants.leashOf(token.id) ?? [],
    limits: createLeashing(grants)(token).uses,
    revoked: grants.revoked(token.id, token.links),
  }))
  const used = await place.readUses(limits.map(({ link }) => link))
  const uses = limits.map(({ link, limit }) => ({ link, limit, used: used.get(link) ?? 0 }))
  return {
    id: token.id,
    verified: true,
    lines,
    leash: leash.map(said),
    uses,
    ...(revoked === undefined ? {} : { revoked }),
  }
}

function showUnverified(text: string, reason: string): Shown {
  const { id, lines } = unsafeReadToken(text)
  return {
    id,
    verified: false,
    reason,
    lines: lines.map(said),
    leash: [],
    uses: [],
  }
}

async function examine(
  text: string,
  values: Parameters<typeof openExistingPlace>[0],
  terminal: Terminal,
): Promise<Shown> {
  let place: Offline
  try {
    place = await openExistingPlace(values, terminal)
  } catch (error) {
    return showUnverified(
      text,
      `there is no key to check it with (${error instanceof Error ? error.message : 'no state'})`,
    )
  }
  try {
    return await showVerified(verifyToken(text, await place.buildKeys()), place)
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    return showUnverified(text, error.reason)
  }
}

function print(shown: Shown, out: Screen): void {
  const state = shown.verified
    ? out.good('verified with this state’s build key')
    : out.bad(`not verified: ${printable(shown.reason ?? '')}`)
  out.line(`grant ${out.bold(printable(shown.id))}  ${state}`)
  out.write(
    table(
      ['  LINE', 'MEANS', 'LINK'],
      shown.lines.map(({ line, says, link }) => [`  ${line}`, says, link ?? '']),
    ),
  )
  printLeash(shown.leash, out)
  for (const { limit, used } of shown.uses) {
    out.line(`uses: ${Math.max(0, limit - used)} left of ${limit}`)
  }
  if (shown.verified) {
    out.line(shown.revoked === undefined ? 'not revoked' : out.bad(`revoked by ${shown.revoked}`))
  }
}

/** Also one that was cut off or mistyped: it is explained as what it was meant to be. */
function looksLikeToken(text: string): boolean {
  return text.startsWith('g1.') || text.split('.').length === 3
}

/** Explains a token. Exit 1 where it does not verify or is revoked. */
export const show = defineVerb({
  positionals: {
    token: {
      type: 'string',
      demandOption: true,
      describe: 'a token, or - for stdin; or a grant’s id',
    },
  },
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [
    ['- < token.txt', 'each line in plain words, its leash, uses left, revoked or not'],
    ['g_01J9Z8K2M4Q7', 'the same of a grant that was minted here, without its token'],
  ],
  async run(values, terminal) {
    const text = await readToken(values.token, terminal)
    if (!looksLikeToken(text)) {
      const grant = await findGrant(text, await openExistingPlace(values, terminal))
      if (values.json) terminal.out.line(JSON.stringify(grant))
      else printGrant(grant, terminal.out)
      return grant.revoked === undefined ? EXIT.ok : EXIT.no
    }
    const shown = await examine(text, values, terminal)
    if (values.json) terminal.out.line(JSON.stringify(shown))
    else print(shown, terminal.out)
    return shown.verified && shown.revoked === undefined ? EXIT.ok : EXIT.no
  },
})

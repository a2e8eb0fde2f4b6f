import {
  TokenFault,
  explainCaveat,
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
  readonly uses: readonly UsesLeft[]
  /** The id or link that is revoked. */
  readonly revoked?: string
}

function words(line: string): string {
  try {
    return explainCaveat(line)
  } catch (error) {
    return `refuses every call: ${error instanceof Error ? error.message : 'it does not parse'}`
  }
}

async function showVerified(token: VerifiedToken, place: Offline): Promise<Shown> {
  const lines = token.lines.map((line, index) => ({
    line,
    says: words(line),
    link: token.links[index + 1] ?? token.link,
  }))
  const used = await place.readUses(token.uses.map(({ link }) => link))
  const uses = token.uses.map(({ link, limit }) => ({ link, limit, used: used.get(link) ?? 0 }))
  const revoked = await place.withGrants((grants) => grants.revoked(token.id, token.links))
  return {
    id: token.id,
    verified: true,
    lines,
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
    lines: lines.map((line) => ({ line, says: words(line) })),
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
  for (const { limit, used } of shown.uses) {
    out.line(`uses: ${Math.max(0, limit - used)} left of ${limit}`)
  }
  if (shown.verified) {
    out.line(shown.revoked === undefined ? 'not revoked' : out.bad(`revoked by ${shown.revoked}`))
  }
}

/** Explains a token. Exit 1 where it does not verify or is revoked. */
export const show = defineVerb({
  positionals: {
    token: { type: 'string', demandOption: true, describe: 'a token, or - for stdin' },
  },
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [['- < token.txt', 'each line in plain words, uses left, revoked or not']],
  async run(values, terminal) {
    const shown = await examine(await readToken(values.token, terminal), values, terminal)
    if (values.json) terminal.out.line(JSON.stringify(shown))
    else print(shown, terminal.out)
    return shown.verified && shown.revoked === undefined ? EXIT.ok : EXIT.no
  },
})

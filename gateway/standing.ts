import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { Ask, Reason, VerifiedToken, Way } from '../policy/index.ts'
import type { Tool } from '../catalog/index.ts'
import { checkStands, leashed, upToDate } from './leash.ts'
import type { Ports } from './ports.ts'
import { refusalOfReasons } from './refusal.ts'
import { personIn } from './stages/person.ts'
import { verifyCredential } from './stages/token.ts'

/** What it takes to know that a token stands. */
export type StandingPorts = Pick<
  Ports,
  'clock' | 'verifier' | 'sessions' | 'revocations' | 'leash' | 'snapshot'
>

/** A token that stands now, and who bears it. */
export interface Standing {
  readonly token: VerifiedToken
  /** The token with the lines that its owner has put on it since. */
  readonly judged: VerifiedToken
  /** Who is signed in; undefined where nobody is. */
  readonly person: string | undefined
}

/** Who asks: a token, and the fields that may hold a session. */
export interface Bearer {
  readonly credential: string | undefined
  readonly headers: RawHeaders
}

/**
 * A token whose chain is right, that is neither revoked nor over, borne by the person that it is for. To ask is no use of it.
 * @throws Refusal
 */
export async function readStanding(
  { credential, headers }: Bearer,
  ports: StandingPorts,
): Promise<Standing> {
  const token = verifyCredential(credential, ports)
  await upToDate(ports)
  checkStands(token, ports)
  const { config } = ports.snapshot()
  const person = personIn(headers, config, ports)?.person
  const judged = leashed(token, ports)
  const ask: Ask = { ...NO_CALL, now: ports.clock.now(), ...(person !== undefined && { person }) }
  const reasons = judged.caveats.flatMap(({ axis, line, clause, leash }): readonly Reason[] => {
    const refused = OF_HOLDERS.includes(axis) ? clause.refuses(ask) : undefined
    return refused === undefined
      ? []
      : [{ axis, caveat: line, ...(leash && { leash }), ...refused }]
  })
  if (reasons.length > 0) throw refusalOfReasons(reasons)
  return { token, judged, person }
}

/** The lines that say who may hold a token, and for how long; the others are about calls. */
const OF_HOLDERS: readonly string[] = ['expires', 'person']

const NO_CALL = {
  target: '',
  tool: '',
  way: 'rest',
  args: {},
  paths: { kind: 'none' },
  model: { kind: 'none' },
  runsCode: false,
} as const satisfies Omit<Ask, 'now'>

/** The lines that can say of a row, whatever its arguments, that it is never called. */
const OF_ROWS: readonly string[] = ['tools', 'ways', 'area']

/** The rows that a token could call through a door of this way: those that no line of it refuses whatever the arguments are. */
export function callableRows<Row extends Pick<Tool, 'name' | 'runs'>>(
  { judged }: Pick<Standing, 'judged'>,
  rows: readonly Row[],
  way: Way,
): readonly Row[] {
  const lines = judged.caveats.filter(({ axis }) => OF_ROWS.includes(axis))
  if (lines.length === 0) return rows
  return rows.filter(({ name, runs }) => {
    const ask: Ask = { ...NO_CALL, now: 0, tool: name, way, runsCode: runs === 'code' }
    return lines.every(({ clause }) => clause.refuses(ask) === undefined)
  })
}

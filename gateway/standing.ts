import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { Ask, VerifiedToken, Way } from '../policy/index.ts'
import type { Tool } from '../catalog/index.ts'
import { checkStands, leashed, upToDate } from './leash.ts'
import type { Ports } from './ports.ts'
import { refusalOfReasons } from './refusal.ts'
import { NO_CALL, reasonsAgainst, reasonsAgainstHolder } from './token-lines.ts'
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
  /** When the person's session ends, in milliseconds since the epoch. */
  readonly sessionExpires: number | undefined
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
  const signedIn = personIn(headers, config, ports)
  const person = signedIn?.person
  const judged = leashed(token, ports)
  const reasons = reasonsAgainstHolder(judged, person, ports.clock.now())
  if (reasons.length > 0) throw refusalOfReasons(reasons)
  return { token, judged, person, sessionExpires: signedIn?.expires }
}

/**
 * That no line forbids this way of calling, whatever is called.
 * @throws Refusal
 */
export function checkWay({ judged }: Pick<Standing, 'judged'>, way: Way): void {
  checkLines(judged, ['ways'], { ...NO_CALL, now: 0, way })
}

/**
 * That no line forbids this row through a door of this way, whatever its arguments are.
 * @throws Refusal
 */
export function checkRow(
  { judged }: Pick<Standing, 'judged'>,
  { name, runs }: Pick<Tool, 'name' | 'runs'>,
  way: Way,
): void {
  checkLines(judged, OF_ROWS, { ...NO_CALL, now: 0, tool: name, way, runsCode: runs === 'code' })
}

function checkLines(judged: VerifiedToken, axes: readonly string[], ask: Ask): void {
  const reasons = reasonsAgainst(judged, axes, ask)
  if (reasons.length > 0) throw refusalOfReasons(reasons)
}

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

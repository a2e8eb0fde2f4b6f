import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Config } from '../config/types.ts'
import type { Notes } from '../notes.ts'
import { SIGN_IN_AGAIN } from '../persons/session.ts'
import type { JudgingPorts } from '../ports.ts'
import { refusal } from '../refusal.ts'
import { sessionsIn } from '../wire/session-fields.ts'

/**
 * Notes who is signed in: the one whose session the call brings, or nobody. A session that does not hold is refused
 * rather than passed over, so that no call is made as nobody that was meant to be made as somebody.
 */
export function readPerson(notes: Notes, ports: Pick<JudgingPorts, 'sessions'>): void {
  const read = personIn(notes.knock.headers, notes.snapshot.config, ports)
  if (read === undefined) return
  notes.person = read.person
  notes.sessionExpires = read.expires
}

/** Who is signed in by the session in these headers; undefined where there is none. */
export function personIn(
  headers: RawHeaders,
  config: Pick<Config, 'headers' | 'persons'>,
  { sessions }: Pick<JudgingPorts, 'sessions'>,
): { readonly person: string; readonly expires: number } | undefined {
  const names = { header: config.headers.session, cookie: config.persons.cookie }
  const [session, ...others] = sessionsIn(headers, names)
  if (session === undefined) return undefined
  if (others.length > 0)
    throw refusal('session_invalid', 'person', {
      got: `${others.length + 1} sessions`,
      repair: 'send one, in the header or in the cookie',
    })
  const read = sessions.read(session)
  if (!read.ok) throw refusal('session_invalid', 'person', { got: read.got, repair: SIGN_IN_AGAIN })
  return { person: read.person, expires: read.expires }
}

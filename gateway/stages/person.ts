import type { Notes } from '../notes.ts'
import { SIGN_IN_AGAIN } from '../persons/session.ts'
import type { JudgingPorts } from '../ports.ts'
import { refusal } from '../refusal.ts'
import { sessionsIn } from '../wire/session-fields.ts'

/**
 * Notes who is signed in: the one whose session the call brings, or nobody. A session that does not hold is refused
 * rather than passed over, so that no call is made as nobody that was meant to be made as somebody.
 */
export function readPerson(notes: Notes, { sessions }: Pick<JudgingPorts, 'sessions'>): void {
  const { config } = notes.snapshot
  const names = { header: config.headers.session, cookie: config.persons.cookie }
  const [session, ...others] = sessionsIn(notes.knock.headers, names)
  if (session === undefined) return
  if (others.length > 0)
    throw refusal('session_invalid', 'person', {
      got: `${others.length + 1} sessions`,
      repair: 'send one, in the header or in the cookie',
    })
  const read = sessions.read(session)
  if (!read.ok) throw refusal('session_invalid', 'person', { got: read.got, repair: SIGN_IN_AGAIN })
  notes.person = read.person
  notes.sessionExpires = read.expires
}

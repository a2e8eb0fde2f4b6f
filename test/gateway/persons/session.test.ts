import t from 'tap'
import { SecretText } from '../../../adapters/keys/secret.ts'
import { createSessions } from '../../../gateway/persons/session.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')

function rig(key = 'an-owner-key-of-more-than-32-bytes-1234') {
  const time = { now: NOW }
  return { time, sessions: createSessions(new SecretText('owner', key), { now: () => time.now }) }
}

t.test('a session names its person until it expires', async (t) => {
  const { time, sessions } = rig()
  const { session, expires } = sessions.issue('alice', 60)
  t.equal(expires, NOW + 60_000)
  t.match(session, /^ns1\.[\w-]+\.[\w-]{43}$/)
  t.strictSame(sessions.read(session), { ok: true, person: 'alice', expires })
  time.now += 59_999
  t.strictSame(sessions.read(session), { ok: true, person: 'alice', expires })
  time.now += 1
  t.strictSame(sessions.read(session), {
    ok: false,
    got: 'a session that expired at 2026-11-29T12:01:00.000Z',
  })
})

t.test('whoever has the same owner key knows it, and nobody else', async (t) => {
  const { session } = rig().sessions.issue('alice', 60)
  t.equal(rig().sessions.read(session).ok, true)
  t.strictSame(rig('another-owner-key-of-more-than-32-bytes').sessions.read(session), {
    ok: false,
    got: 'a session that this gateway did not issue',
  })
})

t.test('every changed character ends it', async (t) => {
  const { sessions } = rig()
  const { session } = sessions.issue('alice', 60)
  for (let at = 0; at < session.length; at++) {
    const other = session[at] === 'A' ? 'B' : 'A'
    const changed = `${session.slice(0, at)}${other}${session.slice(at + 1)}`
    t.equal(sessions.read(changed).ok, false, `character ${at}`)
  }
  for (const spelled of [`${session}=`, `${session}A`, ` ${session}`, session.toUpperCase(), ''])
    t.equal(sessions.read(spelled).ok, false, spelled)
})

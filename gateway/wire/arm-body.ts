import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Armed, Call } from '../call.ts'
import type { KnownPlaceholder } from '../keyring.ts'
import type { Notes } from '../notes.ts'
import { refusal } from '../refusal.ts'
import { armBody, bodyForm, bodyHolds, createLookout } from './armed-body.ts'
import type { ArmedBody, BodyForm, BodyKey } from './armed-body.ts'
import { foreignPlaceholder } from './foreign-placeholders.ts'
import { readAtMost } from './read-at-most.ts'

/** Whose body it is, and why it may have to be read. */
export interface BodyOwner {
  readonly call: Call
  readonly headers: RawHeaders
  /** Keys that may have their places in it. */
  readonly keys: readonly BodyKey[]
  /** A signature covers it. */
  readonly signed: boolean
}

/**
 * A body is read where a key may have its place in it, or where a signature covers it; otherwise it is streamed, and
 * looked at on its way where the configuration has placeholders for bodies.
 */
export async function readArmedBody(
  { call, headers, keys, signed }: BodyOwner,
  notes: Notes,
): Promise<Pick<Armed, 'body' | 'lookout'>> {
  if (call.body === undefined && notes.knock.body === null) return {}
  const known = notes.snapshot.keyring.placeholders.filter(({ places }) => places.includes('body'))
  const form = known.length === 0 ? undefined : bodyForm(headers)
  const isKeyed = form !== undefined && keys.length > 0
  if (!isKeyed && !signed) return form === undefined ? {} : lookoutFor(known, form, notes)
  const bytes = call.body ?? (await readWhole(notes))
  const body = form === undefined ? { seen: bytes, sent: bytes } : armBody(bytes, form, keys)
  if (form !== undefined) checkBody(body, form, notes)
  return { body }
}

function lookoutFor(
  known: readonly KnownPlaceholder[],
  form: BodyForm,
  notes: Notes,
): Pick<Armed, 'lookout'> {
  const placeholders = known.map(({ placeholder }) => placeholder)
  const lookout = createLookout(placeholders, form, (found) => {
    const name = known.find(({ placeholder }) => placeholder === found)?.key ?? ''
    notes.stopped = foreignPlaceholder(name, 'body', notes.knock)
    throw notes.stopped
  })
  return { lookout }
}

function checkBody({ sent }: ArmedBody, form: BodyForm, { snapshot, knock }: Notes): void {
  for (const { placeholder, key, places } of snapshot.keyring.placeholders) {
    if (places.includes('body') && bodyHolds(sent, form, placeholder))
      throw foreignPlaceholder(key, 'body', knock)
  }
}

async function readWhole({ knock, snapshot }: Notes): Promise<Buffer> {
  knock.proceed()
  const { judgedBodyBytes } = snapshot.config.limits
  const bytes = knock.body === null ? undefined : await readAtMost(knock.body, judgedBodyBytes)
  if (bytes !== undefined) return bytes
  throw refusal('too_large', 'body', {
    got: `more than ${judgedBodyBytes} bytes, where a key goes into the body or signs it`,
    repair: 'send less, or raise limits.judged_body_bytes',
  })
}

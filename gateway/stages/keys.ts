import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { VerifiedToken } from '../../policy/index.ts'
import type { Armed, Call } from '../call.ts'
import type { KeyBinding } from '../config/types.ts'
import type { KeyRing } from '../keyring.ts'
import type { Knock } from '../knock.ts'
import type { Notes } from '../notes.ts'
import { refusal } from '../refusal.ts'
import { mapBasic } from '../wire/basic.ts'
import { readableCodings } from '../wire/encodings.ts'
import { holds } from '../wire/forwarded-head.ts'
import { getHeader, removeHeaders, setHeader } from '../wire/headers.ts'

/** Takes out what was for the gateway alone and puts the upstream's key in. */
export function armRequest(call: Call, token: VerifiedToken, notes: Notes): Armed {
  const { keyring } = notes.snapshot
  const bindings = bindingsFor(call, token, notes.knock, keyring)
  let { headers } = call
  for (const binding of bindings) headers = put(headers, binding, keyring)
  checkPlaceholders(headers, notes.knock, keyring)
  if (bindings.length > 0) notes.key = bindings.map(({ name }) => name).join(',')
  return { headers: forInspection(headers, call, keyring) }
}

/** A row that names its key gets that one; a token with a `keys` line gets that person's keys alone. */
function bindingsFor(
  call: Call,
  token: VerifiedToken,
  { method, path }: Knock,
  keyring: KeyRing,
): readonly KeyBinding[] {
  return keyring
    .bindingsFor(call.upstream, { method, path })
    .filter(({ name }) => call.tool.key === undefined || call.tool.key === name)
    .filter(({ person }) => person === token.keysOf)
}

function put(headers: RawHeaders, binding: KeyBinding, keyring: KeyRing): RawHeaders {
  const key = keyring.secret(binding).reveal()
  const { use } = binding
  switch (use.kind) {
    case 'header':
      return setHeader(
        headers,
        use.header,
        use.format.replace('{}', () => key),
      )
    case 'basic':
      return setHeader(headers, 'Authorization', basic(`${use.user}:${key}`))
    case 'placeholder':
      return mapValues(headers, (value) => replacePlaceholder(value, use.text, key))
  }
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function replacePlaceholder(value: string, placeholder: string, key: string): string {
  const replaced = value.replaceAll(placeholder, () => key)
  return mapBasic(replaced, (credentials) => credentials.replaceAll(placeholder, () => key))
}

function mapValues(headers: RawHeaders, map: (value: string) => string): RawHeaders {
  return headers.map((text, index) => (index % 2 === 1 ? map(text) : text))
}

/**
 * A placeholder that is still there stops the call: the upstream would see it, or the agent meant a host that
 * this key is not for.
 */
function checkPlaceholders(headers: RawHeaders, { path, origin }: Knock, keyring: KeyRing): void {
  for (const { text, key } of keyring.placeholders) {
    const inHeader = headers.some((value, index) => index % 2 === 1 && holds(value, text))
    if (inHeader || path.includes(text))
      throw refusal('placeholder_not_for_host', 'keys', {
        got: `the placeholder of key ${key}, for ${origin.host}`,
        repair: inHeader
          ? 'send it only to the hosts, methods and paths that the key is configured for'
          : 'placeholders are replaced in headers and Basic credentials; move it there',
      })
  }
}

/**
 * An answer that is to be read on its way (for keys, or to cut it down) is asked for in codings that can be read, and
 * whole: a part of a JSON text cannot be cut, and a key that is fetched in two parts is in neither of them.
 */
function forInspection(headers: RawHeaders, call: Call, keyring: KeyRing): RawHeaders {
  const keyed = keyring.redactorFor(call.upstream) !== undefined
  if (!keyed && call.projection === undefined) return headers
  const deflating = keyed ? ['sec-websocket-extensions'] : []
  const left = removeHeaders(headers, ['range', 'if-range', ...deflating])
  const asked = getHeader(left, 'accept-encoding')
  return asked === undefined ? left : setHeader(left, 'Accept-Encoding', readableCodings(asked))
}

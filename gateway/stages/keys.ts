import type { Secret } from '../../adapters/keys/port.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { VerifiedToken } from '../../policy/index.ts'
import type { OauthKey, TokenFetch } from '../access-tokens.ts'
import { recordAccessToken } from '../audit.ts'
import type { Armed, Call } from '../call.ts'
import type { KeyBinding } from '../config/key-types.ts'
import { isOf, type KeyRing } from '../keyring.ts'
import type { Knock } from '../knock.ts'
import type { Notes } from '../notes.ts'
import type { Ports } from '../ports.ts'
import { readArmedBody } from '../wire/arm-body.ts'
import type { ArmedBody, BodyKey } from '../wire/armed-body.ts'
import { armHead, type HeadKey } from '../wire/armed-head.ts'
import { splicedPath, splicesOf, type PathKeys } from '../wire/armed-path.ts'
import { DIGESTS } from '../wire/encodings.ts'
import { removeHeaders, setHeader } from '../wire/headers.ts'
import { forInspection } from '../wire/inspectable.ts'
import { checkHeadPlaceholders, foreignPlaceholder } from '../wire/foreign-placeholders.ts'
import { signHmac, signsBody, signSigV4, type Signable } from '../wire/signing.ts'
import type { TextKeys } from '../wire/text-keys.ts'

/** Whose call it is that gets its keys. */
export interface Keyed {
  readonly call: Call
  readonly token: VerifiedToken
}

interface Arming {
  readonly call: Call
  readonly bindings: readonly KeyBinding[]
  readonly notes: Notes
  readonly ports: Ports
}

/** Takes out what was for the gateway alone and puts the upstream's keys in. */
export async function armRequest(keyed: Keyed, notes: Notes, ports: Ports): Promise<Armed> {
  const { call, token } = keyed
  const { keyring } = notes.snapshot
  const bindings = bindingsFor(call, token, notes.knock, keyring)
  if (bindings.length === 0 && keyring.placeholders.length === 0)
    return { headers: forInspection(call, keyring, call.headers) }
  if (bindings.length > 0) notes.key = bindings.map(({ name }) => name).join(',')
  return arm({ call, bindings, notes, ports })
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
    .filter((binding) => call.tool.key === undefined || isOf(binding, call.tool.key))
    .filter(({ person }) => person === token.keysOf)
}

/** What is signed goes in last, since signatures cover the rest. */
async function arm(arming: Arming): Promise<Armed> {
  const { call, bindings, notes } = arming
  const { knock, snapshot } = notes
  const { keyring } = snapshot
  const accessTokens = await accessTokensFor(arming)
  const put = armHead(call.headers, headKeys(bindings, keyring, accessTokens))
  const splices = splicesOf(knock.path, pathKeys(bindings, keyring))
  checkHeadPlaceholders({ headers: put, path: knock.path, splices }, knock, keyring)
  const texts = textKeys(arming)
  const owner = {
    call,
    headers: put,
    keys: bodyKeys(bindings, keyring),
    signed: bindings.some(({ use }) => signsBody(use)),
  }
  const { body, lookout } = await readArmedBody(owner, notes)
  const framed = body === undefined ? put : describing(put, body)
  const headers = sign(arming, {
    method: knock.method,
    path: splicedPath(knock.path, splices),
    headers: forInspection(call, keyring, framed, texts),
    body: body?.sent,
    now: arming.ports.clock.now(),
  })
  return {
    headers,
    ...(splices.length > 0 ? { splices } : {}),
    ...(body === undefined ? {} : { body }),
    ...(lookout === undefined ? {} : { lookout }),
    ...(texts === undefined ? {} : { texts }),
    ...(accessTokens.size > 0 ? { renew: () => renew(arming, accessTokens) } : {}),
  }
}

type AccessTokens = ReadonlyMap<KeyBinding, Secret>

async function accessTokensFor(arming: Arming): Promise<AccessTokens> {
  const { notes, ports } = arming
  const { config, secrets, keyring } = notes.snapshot
  const { upstream, clock, ledger, log } = ports
  const record = (fetch: TokenFetch) => recordAccessToken(ledger, log, fetch)
  const around = { config, secrets, upstream, clock, record }
  const tokens = new Map<KeyBinding, Secret>()
  for (const key of oauthKeys(arming))
    tokens.set(key.binding, await keyring.accessTokens.of(key, around))
  return tokens
}

function oauthKeys({ call, bindings, notes }: Arming): readonly OauthKey[] {
  return bindings.flatMap((binding) => {
    const { use } = binding
    const secret = notes.snapshot.keyring.secret(binding)
    const upstream = call.upstream.name
    return use.kind === 'oauth' ? [{ upstream, binding, use, secret }] : []
  })
}

/** Safe methods (RFC 9110, 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whatever becomes of this call, the next one gets a token that the upstream has not refused yet, if it may. */
async function renew(arming: Arming, used: AccessTokens): Promise<Armed | undefined> {
  const { ports, notes } = arming
  const { knock, snapshot } = notes
  const now = ports.clock.now()
  const dropped = oauthKeys(arming).map((key) => {
    const token = used.get(key.binding)
    return token !== undefined && snapshot.keyring.accessTokens.drop(key, token, now)
  })
  const again = SAFE.has(knock.method) && knock.body === null && !knock.upgrade
  return again && dropped.includes(true) ? arm(arming) : undefined
}

function headKeys(
  bindings: readonly KeyBinding[],
  keyring: KeyRing,
  accessTokens: AccessTokens,
): readonly HeadKey[] {
  return bindings.map((binding) => ({
    use: binding.use,
    key: (accessTokens.get(binding) ?? keyring.secret(binding)).reveal(),
  }))
}

function pathKeys(bindings: readonly KeyBinding[], keyring: KeyRing): PathKeys {
  return {
    parameters: bindings.flatMap((binding) =>
      binding.use.kind === 'query'
        ? [{ name: binding.use.parameter, key: keyring.secret(binding).reveal() }]
        : [],
    ),
    placeholders: keyring.placeholders.flatMap(({ placeholder, key: name, places }) => {
      const binding = bindings.find((one) => isOf(one, name))
      if (binding === undefined) return []
      const key = keyring.secret(binding).reveal()
      return [
        { placeholder, key, inPath: places.includes('path'), inQuery: places.includes('query') },
      ]
    }),
  }
}

function bodyKeys(bindings: readonly KeyBinding[], keyring: KeyRing): readonly BodyKey[] {
  return keyring.placeholders.flatMap(({ placeholder, key: name, places }) => {
    const binding = bindings.find((one) => isOf(one, name) && places.includes('body'))
    return binding === undefined ? [] : [{ placeholder, key: keyring.secret(binding).reveal() }]
  })
}

/** Undefined where no message has to be looked at. */
function textKeys({ bindings, notes: { knock, snapshot } }: Arming): TextKeys | undefined {
  const { keyring } = snapshot
  const known = keyring.placeholders.filter(({ places }) => places.includes('websocket'))
  if (!knock.upgrade || known.length === 0) return undefined
  const keys = new Map<string, string>()
  const foreign = new Map<string, () => Error>()
  for (const { placeholder, key: name } of known) {
    const binding = bindings.find((one) => isOf(one, name))
    if (binding !== undefined) keys.set(placeholder.text, keyring.secret(binding).reveal())
    else foreign.set(placeholder.text, () => foreignPlaceholder(name, 'websocket', knock))
  }
  return { keys, foreign }
}

/** The client's digests are of the body with the placeholder in it: they say nothing true of this one. */
function describing(headers: RawHeaders, { seen, sent }: ArmedBody): RawHeaders {
  const left = seen === sent ? headers : removeHeaders(headers, DIGESTS)
  return setHeader(left, 'Content-Length', String(sent.length))
}

function sign({ bindings, notes }: Arming, request: Signable): RawHeaders {
  const { keyring } = notes.snapshot
  let { headers } = request
  for (const binding of bindings) {
    const { use } = binding
    if (use.kind === 'hmac')
      headers = signHmac({ ...request, headers }, use, keyring.secret(binding).reveal())
  }
  for (const binding of bindings) {
    const { use } = binding
    if (use.kind !== 'sigv4') continue
    const { id, sessionToken } = keyring.awsParts(binding)
    headers = signSigV4({ ...request, headers }, use, {
      accessKeyId: id.reveal(),
      secretAccessKey: keyring.secret(binding).reveal(),
      sessionToken: sessionToken?.reveal(),
    })
  }
  return headers
}

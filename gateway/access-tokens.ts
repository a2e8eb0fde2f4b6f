import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../adapters/clock/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import type { Answer, RawHeaders, Upstream, UpstreamRequest } from '../adapters/upstream/port.ts'
import { routeTo } from './config/index.ts'
import type { KeyBinding, OauthUse } from './config/key-types.ts'
import type { Config } from './config/types.ts'
import { refusal, type Refusal } from './refusal.ts'
import { authorityOf } from './wire/forwarded-head.ts'
import { getHeader } from './wire/headers.ts'
import { dropBody, streamOf } from './wire/answer-stream.ts'
import { readAtMost } from './wire/read-at-most.ts'

/** A key that is exchanged for access tokens. */
export interface OauthKey {
  readonly binding: KeyBinding
  /** The name of the upstream that gets the tokens. */
  readonly upstream: string
  readonly use: OauthUse
  /** The client's secret. */
  readonly secret: Secret
}

/** An access token that may still be valid: where it goes, it may come back from. */
export interface LiveToken {
  /** The name of its key. */
  readonly key: string
  readonly upstream: string
  readonly token: Secret
}

/** The access tokens of a gateway's OAuth keys. They outlive configurations: what was got stays valid. */
export interface AccessTokens {
  /**
   * The token that is held, or a new one; calls that ask at one time share the fetch.
   * @throws Refusal `key_unavailable` where none can be got, or too many were asked for
   */
  of(key: OauthKey, around: TokenContext): Promise<Secret>
  /** Uses no more a token that the upstream did not take. False where it stays in use: too many were replaced. */
  drop(key: OauthKey, token: Secret, now: number): boolean
  /** All tokens that may still be valid, those out of use too. */
  live(): readonly LiveToken[]
  /** Another number whenever `live` has changed. */
  readonly version: number
}

/** A call of the gateway's own to a token endpoint, for the ledger. */
export interface TokenFetch {
  readonly key: string
  readonly host: string
  /** Why there is no token; absent where there is one. */
  readonly why?: string
}

export interface TokenContext {
  readonly config: Config
  readonly secrets: ReadonlyMap<string, Secret>
  readonly upstream: Upstream
  readonly clock: Clock
  /** Records a fetch; awaited before its token is used. */
  readonly record: (fetch: TokenFetch) => Promise<void>
}

interface Held {
  readonly key: OauthKey
  readonly token: Secret
  /** Until when it is used, milliseconds since 1970. */
  readonly until: number
}

interface Kept extends LiveToken {
  readonly got: number
  /** Milliseconds since 1970. */
  readonly ends: number
}

/** A token is not used in the last part of its life: it might end on its way. */
const EARLY_MS = 60_000
const EARLY_SHARE = 0.1
/** Where the answer does not say how long the token lasts (RFC 6749, 5.1), it is used so long, */
const USUAL_SECONDS = 300
/** and masked so long. */
const UNSAID_SECONDS = 3600
/** Upstreams may take a token a little longer than it lasts, for clocks that differ. */
const LEEWAY_MS = 60_000
/** So many tokens of a key that may be valid at one time are got one after the other for an upstream's refusals, */
const AT_ONCE = 8
/** and then one in this part of a token's life: together they bound how many have to be masked. */
const LIFE_PARTS = 16
/** Fetches of a key within a minute. */
const MOST_FETCHES = 30
const MINUTE_MS = 60_000
const HEAD_MS = 30_000
const MOST_BYTES = 65_536

/** `wrap` makes a secret of a text. */
export function createAccessTokens(wrap: (name: string, value: string) => Secret): AccessTokens {
  const held = new Map<string, Held>()
  const fetching = new Map<string, { readonly key: OauthKey; readonly token: Promise<Secret> }>()
  const fetched = new Map<string, readonly number[]>()
  let kept: readonly Kept[] = []
  let version = 0
  const mayFetch = (name: string, now: number): boolean => {
    const lately = (fetched.get(name) ?? []).filter((at) => Math.abs(now - at) < MINUTE_MS)
    if (lately.length >= MOST_FETCHES) return false
    fetched.set(name, [...lately, now])
    return true
  }
  const fetch = async (key: OauthKey, around: TokenContext): Promise<Secret> => {
    const { name } = key.binding
    const { text, seconds } = await fetchToken(key, around)
    const token = wrap(`${name}:access_token`, text)
    const now = around.clock.now()
    const ends = now + (seconds ?? UNSAID_SECONDS) * 1000 + LEEWAY_MS
    const still = kept.filter((one) => now < one.ends)
    kept = [...still, { key: name, upstream: key.upstream, token, got: now, ends }]
    version += 1
    const life = (seconds ?? USUAL_SECONDS) * 1000
    held.set(name, { key, token, until: now + life - Math.min(EARLY_MS, life * EARLY_SHARE) })
    return token
  }
  return {
    async of(key, around) {
      const { name } = key.binding
      const now = around.clock.now()
      const found = held.get(name)
      const known = found !== undefined && isSame(found.key, key) ? found : undefined
      if (known !== undefined && now < known.until) return known.token
      const under = fetching.get(name)
      if (under !== undefined && isSame(under.key, key)) return under.token
      if (!mayFetch(name, now)) {
        if (known !== undefined) return known.token
        throw tooMany(name)
      }
      const token = fetch(key, around).finally(() => {
        if (fetching.get(name)?.token === token) fetching.delete(name)
      })
      fetching.set(name, { key, token })
      return token
    },
    drop({ binding: { name } }, token, now) {
      const known = held.get(name)
      // A newer one may be there already: another call met the same answer.
      if (known?.token !== token) return true
      const others = kept.filter(({ key, ends }) => key === name && now < ends)
      const newest = others.at(-1)
      const part = newest === undefined ? 0 : (newest.ends - newest.got) / LIFE_PARTS
      if (newest !== undefined && others.length >= AT_ONCE && now - newest.got < part) return false
      held.set(name, { ...known, until: 0 })
      return true
    },
    live: () => kept,
    get version() {
      return version
    },
  }
}

/** Whether tokens of the one do for the other: a reload may have changed how or for whom they are got. */
function isSame(one: OauthKey, other: OauthKey): boolean {
  if (one.use === other.use && one.secret === other.secret) return true
  return isDeepStrictEqual(one.use, other.use) && one.secret.reveal() === other.secret.reveal()
}

function tooMany(name: string): Refusal {
  return refusal('key_unavailable', 'keys', {
    got: `no access token for key ${name}: ${MOST_FETCHES} were asked for within a minute`,
    repair: 'check the key’s oauth settings and its token endpoint, then try again in a minute',
  })
}

interface Granted {
  readonly text: string
  /** How long it lasts; undefined where the answer does not say. */
  readonly seconds: number | undefined
}

async function fetchToken(key: OauthKey, around: TokenContext): Promise<Granted> {
  const { upstream, record } = around
  const fetched = { key: key.binding.name, host: key.use.tokenUrl.origin.host }
  try {
    const granted = await readGrant(await upstream.sendOwn(tokenRequest(key, around)))
    await record(fetched)
    return granted
  } catch (error) {
    const why = whyOf(error)
    await record({ ...fetched, why })
    throw refusal('key_unavailable', 'keys', {
      got: `no access token for key ${fetched.key}: ${why}`,
      repair: 'check the key’s oauth settings and its token endpoint, then try again',
    })
  }
}

/** An answer without a token. What came may hold the secret, so that only its kind is told. */
class NoToken extends Error {}

/** The client credentials grant (RFC 6749, 4.4.2), the client authenticated as in 2.3.1. */
function tokenRequest({ use, secret: held }: OauthKey, around: TokenContext): UpstreamRequest {
  const { origin, path } = use.tokenUrl
  const secret = held.reveal()
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (use.scope !== undefined) form.set('scope', use.scope)
  if (use.clientAuth === 'body') {
    form.set('client_id', use.clientId)
    form.set('client_secret', secret)
  }
  const body = Buffer.from(form.toString())
  const { limits } = around.config
  return {
    origin,
    route: routeTo(around, origin),
    method: 'POST',
    path,
    headers: [
      ...Object.entries({
        Host: authorityOf(origin),
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': String(body.length),
      }).flat(),
      ...(use.clientAuth === 'basic' ? basic(use.clientId, secret) : []),
    ],
    body: Readable.from([body]),
    upgrade: false,
    signal: new AbortController().signal,
    timeouts: {
      connect: limits.upstreamConnectMs,
      head: Math.min(limits.upstreamHeadMs, HEAD_MS),
      idle: limits.upstreamIdleMs,
    },
  }
}

/** Both parts are form-encoded first (RFC 6749, 2.3.1), so that a colon in the id parts nothing. */
function basic(id: string, secret: string): RawHeaders {
  const encoded = [id, secret].map((part) => new URLSearchParams([['', part]]).toString().slice(1))
  return ['Authorization', `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`]
}

async function readGrant(answer: Answer): Promise<Granted> {
  const coding = getHeader(answer.headers, 'content-encoding') ?? 'identity'
  const bytes =
    coding === 'identity' ? await readAtMost(streamOf(answer.body), MOST_BYTES) : undefined
  if (bytes === undefined) dropBody(answer.body)
  const value = parsed(bytes)
  if (answer.status !== 200) {
    const code = textOf(value['error'], /^[a-z_]{1,64}$/)
    throw new NoToken(`status ${answer.status}${code === undefined ? '' : `, ${code}`}`)
  }
  const text = textOf(value['access_token'], /^[\x21-\x7e]{16,8192}$/)
  const isBearer = textOf(value['token_type'], /^bearer$/i) !== undefined
  if (text === undefined || !isBearer) throw new NoToken('an answer without a Bearer token')
  const { expires_in: life } = value
  return { text, seconds: typeof life === 'number' && life >= 0 ? life : undefined }
}

function parsed(bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes?.toString() ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined
}

function whyOf(error: unknown): string {
  if (error instanceof NoToken) return error.message
  return error instanceof Error && 'code' in error ? String(error.code) : 'the answer broke off'
}

import { Readable } from 'node:stream'
import type { Clock } from '../adapters/clock/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import type { Answer, RawHeaders, Upstream, UpstreamRequest } from '../adapters/upstream/port.ts'
import { routeTo } from './config/index.ts'
import type { KeyBinding, OauthUse } from './config/key-types.ts'
import type { Config } from './config/types.ts'
import { refusal } from './refusal.ts'
import { authorityOf } from './wire/forwarded-head.ts'
import { getHeader } from './wire/headers.ts'
import { dropBody, streamOf } from './wire/answer-stream.ts'
import { readAtMost } from './wire/read-at-most.ts'

/** A key that is exchanged for access tokens. */
export interface OauthKey {
  readonly binding: KeyBinding
  readonly use: OauthUse
  /** The client's secret. */
  readonly secret: Secret
}

/** The access tokens of one configuration's OAuth keys. */
export interface AccessTokens {
  /** The token that is held, or a new one; calls that ask at one time share the fetch. */
  of(key: OauthKey, around: TokenContext): Promise<Secret>
  /** Forgets a token that the upstream did not take. */
  drop(key: OauthKey, token: Secret): void
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

interface AccessTokenOptions {
  /** Makes a secret of a text. */
  readonly wrap: (name: string, value: string) => Secret
  /** Told of each new token before it is used, so that it can be masked. */
  readonly onToken: (key: OauthKey, token: Secret) => void
}

interface Held {
  readonly token: Secret
  /** Milliseconds since 1970. */
  readonly until: number
}

/** A token is not used in the last part of its life: it might end on its way. */
const EARLY_MS = 60_000
const EARLY_SHARE = 0.1
/** Where the answer does not say how long the token lasts (RFC 6749, 5.1). */
const USUAL_SECONDS = 300
const HEAD_MS = 30_000
const MOST_BYTES = 65_536

export function createAccessTokens({ wrap, onToken }: AccessTokenOptions): AccessTokens {
  const held = new Map<string, Held>()
  const fetching = new Map<string, Promise<Secret>>()
  const renew = async (key: OauthKey, around: TokenContext): Promise<Secret> => {
    const { clock } = around
    const { text, seconds } = await fetchToken(key, around)
    const token = wrap(`${key.binding.name}:access_token`, text)
    onToken(key, token)
    const life = seconds * 1000
    const until = clock.now() + life - Math.min(EARLY_MS, life * EARLY_SHARE)
    held.set(key.binding.name, { token, until })
    return token
  }
  return {
    async of(key, around) {
      const { name } = key.binding
      const known = held.get(name)
      if (known !== undefined && around.clock.now() < known.until) return known.token
      const under = fetching.get(name)
      if (under !== undefined) return under
      const started = renew(key, around).finally(() => fetching.delete(name))
      fetching.set(name, started)
      return started
    },
    drop({ binding: { name } }, token) {
      // A newer one may be there already: another call met the same answer.
      if (held.get(name)?.token === token) held.delete(name)
    },
  }
}

interface Granted {
  readonly text: string
  readonly seconds: number
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
  return { text, seconds: typeof life === 'number' && life >= 0 ? life : USUAL_SECONDS }
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

import type { Secret } from '../adapters/keys/port.ts'
import { createAccessTokens, type AccessTokens, type OauthKey } from './access-tokens.ts'
import { accessKeyIdName, sessionTokenName } from './config/index.ts'
import type { KeyBinding, KeyPlace } from './config/key-types.ts'
import type { Config, ResolvedUpstream } from './config/types.ts'
import { placeholderOf, type Placeholder } from './wire/placeholders.ts'
import { createRedactor, type MaskedSecret, type Redactor } from './wire/redactor.ts'

/** A placeholder of the configuration. */
export interface KnownPlaceholder {
  readonly placeholder: Placeholder
  /** The name of its key. */
  readonly key: string
  readonly places: readonly KeyPlace[]
}

/** The upstream keys of one configuration: which may go where, and what must never come back. */
export interface KeyRing {
  /** Masks every key of the configuration, and the access tokens got with them: for receipts and logs. */
  readonly redactor: Redactor
  /** The bindings that hold for this request, in the order of the configuration. */
  bindingsFor(
    upstream: ResolvedUpstream,
    request: { method: string; path: string },
  ): readonly KeyBinding[]
  /** Masks what this upstream could give back: every key that may be sent to it. */
  redactorFor(upstream: ResolvedUpstream): Redactor | undefined
  /** Every placeholder of the configuration. */
  readonly placeholders: readonly KnownPlaceholder[]
  secret(binding: KeyBinding): Secret
  /** What a SigV4 key has besides its secret. */
  awsParts(binding: KeyBinding): { readonly id: Secret; readonly sessionToken: Secret | undefined }
  readonly accessTokens: AccessTokens
}

/** Tokens that may still be under way somewhere, of each key: the newest ones. */
const MOST_TOKENS = 16

/** `wrap` makes a secret of an access token. */
export function createKeyRing(
  config: Config,
  secrets: ReadonlyMap<string, Secret>,
  wrap: (name: string, value: string) => Secret,
): KeyRing {
  const all = config.upstreams.flatMap((upstream) => upstream.keys)
  const named = (name: string): Secret => {
    const found = secrets.get(name)
    if (found === undefined) throw new Error(`key \`${name}\` was not read`)
    return found
  }
  const tokens = new Map<string, readonly Secret[]>()
  const maskedOf = ({ name, use }: KeyBinding): readonly MaskedSecret[] => {
    const session = use.kind === 'sigv4' ? secrets.get(sessionTokenName(name)) : undefined
    const others = [...(session === undefined ? [] : [session]), ...(tokens.get(name) ?? [])]
    return [
      { name, value: named(name).reveal(), ...(use.kind === 'basic' ? { user: use.user } : {}) },
      ...others.map((secret) => ({ name, value: secret.reveal() })),
    ]
  }
  const redactorOf = (bindings: readonly KeyBinding[]) => createRedactor(bindings.flatMap(maskedOf))
  const createRedactors = () => {
    const ofAll = redactorOf(all)
    // Where one upstream has all the keys there is one redactor, and what it has masked needs no second look.
    const ofSome = (keys: readonly KeyBinding[]) =>
      keys.length === all.length ? ofAll : redactorOf(keys)
    return {
      all: ofAll,
      each: new Map(
        config.upstreams
          .filter(({ keys }) => keys.length > 0)
          .map(({ name, keys }) => [name, ofSome(keys)] as const),
      ),
    }
  }
  let redactors = createRedactors()
  const onToken = ({ binding: { name } }: OauthKey, token: Secret) => {
    tokens.set(name, [token, ...(tokens.get(name) ?? [])].slice(0, MOST_TOKENS))
    redactors = createRedactors()
  }
  return {
    get redactor() {
      return redactors.all
    },
    bindingsFor: (upstream, request) =>
      upstream.keys.filter((binding) => bound(binding, request.method, pathOnly(request.path))),
    redactorFor: (upstream) => redactors.each.get(upstream.name),
    placeholders: all.flatMap(({ name, use }) =>
      use.kind === 'placeholder'
        ? [{ placeholder: placeholderOf(use.text), key: name, places: use.places }]
        : [],
    ),
    secret: ({ name }) => named(name),
    awsParts: ({ name }) => ({
      id: named(accessKeyIdName(name)),
      sessionToken: secrets.get(sessionTokenName(name)),
    }),
    accessTokens: createAccessTokens({ wrap, onToken }),
  }
}

function bound({ methods, paths }: KeyBinding, method: string, path: string): boolean {
  if (methods !== undefined && !methods.includes(method)) return false
  return paths === undefined || paths.some((glob) => globMatches(glob, path))
}

function pathOnly(path: string): string {
  const query = path.indexOf('?')
  return query < 0 ? path : path.slice(0, query)
}

/** Whole-string match; `*` stands for any characters. Linear: each literal part is searched once, left to right. */
function globMatches(glob: string, text: string): boolean {
  const parts = glob.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return text === first
  const last = parts[parts.length - 1] ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

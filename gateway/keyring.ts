import type { Secret } from '../adapters/keys/port.ts'
import type { AccessTokens } from './access-tokens.ts'
import { accessKeyIdName, sessionTokenName } from './config/index.ts'
import type { KeyBinding, KeyPlace } from './config/key-types.ts'
import { mcpSecretName, mcpUpstreamName } from './config/mcp-types.ts'
import type { Resolvable } from './config/resolve.ts'
import type { Config, ResolvedUpstream, UpstreamConfig } from './config/types.ts'
import { placeholderOf, type Placeholder } from './wire/placeholders.ts'
import { createRedactor, type MaskedSecret, type Redactor } from './wire/redactor.ts'

/** A placeholder of the configuration. */
export interface KnownPlaceholder {
  readonly placeholder: Placeholder
  /** The name of its key, as the configuration has it. */
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
  /** Every placeholder of the configuration, those of personal keys that nobody has stored yet too. */
  readonly placeholders: readonly KnownPlaceholder[]
  secret(binding: KeyBinding): Secret
  /** What a SigV4 key has besides its secret. */
  awsParts(binding: KeyBinding): { readonly id: Secret; readonly sessionToken: Secret | undefined }
  readonly accessTokens: AccessTokens
}

/** The keys of `config`, which is `written` with what persons have stored. The tokens outlive the ring. */
export function createKeyRing(
  written: Config,
  { config, secrets }: Resolvable,
  accessTokens: AccessTokens,
): KeyRing {
  const named = (name: string): Secret => {
    const found = secrets.get(name)
    if (found === undefined) throw new Error(`key \`${name}\` was not read`)
    return found
  }
  const maskedOf = ({ name, use }: KeyBinding): readonly MaskedSecret[] => {
    const session = use.kind === 'sigv4' ? secrets.get(sessionTokenName(name)) : undefined
    return [
      { name, value: named(name).reveal(), ...(use.kind === 'basic' ? { user: use.user } : {}) },
      ...(session === undefined ? [] : [{ name, value: session.reveal() }]),
    ]
  }
  /** A token may come back from where it was sent, and from where its key goes now. */
  const tokensAt = (upstream: UpstreamConfig): readonly MaskedSecret[] =>
    accessTokens
      .live()
      .filter(
        ({ key, upstream: sentTo }) =>
          sentTo === upstream.name || upstream.keys.some(({ name }) => name === key),
      )
      .map(({ key: name, token }) => ({ name, value: token.reveal() }))
  /** What a program was given, it may give back. */
  const servers = config.mcpServers.map(({ name: server, way }) => {
    const variables = way.kind === 'command' ? Object.keys(way.secretEnv) : []
    const names = variables.map((variable) => mcpSecretName(server, variable))
    const masked = names.map((name) => ({ name, value: named(name).reveal() }))
    return [mcpUpstreamName(server), masked] as const
  })
  const createRedactors = () => {
    const upstreams = config.upstreams.map((upstream) => {
      return [upstream.name, [...upstream.keys.flatMap(maskedOf), ...tokensAt(upstream)]] as const
    })
    const each = [...upstreams, ...servers]
    const all = [
      ...config.upstreams.flatMap(({ keys }) => keys.flatMap(maskedOf)),
      ...servers.flatMap(([, masked]) => masked),
      ...accessTokens.live().map(({ key: name, token }) => ({ name, value: token.reveal() })),
    ]
    const ofAll = createRedactor(all)
    // Where one upstream has all the keys there is one redactor, and what it has masked needs no second look.
    const ofSome = (some: readonly MaskedSecret[]) =>
      some.length === all.length ? ofAll : createRedactor(some)
    return {
      version: accessTokens.version,
      all: ofAll,
      each: new Map(
        each
          .filter(([, some]) => some.length > 0)
          .map(([name, some]) => [name, ofSome(some)] as const),
      ),
    }
  }
  let made = createRedactors()
  const redactors = () => {
    if (made.version !== accessTokens.version) made = createRedactors()
    return made
  }
  return {
    get redactor() {
      return redactors().all
    },
    bindingsFor: (upstream, request) =>
      upstream.keys.filter((binding) => bound(binding, request.method, pathOnly(request.path))),
    redactorFor: (upstream) => redactors().each.get(upstream.name),
    placeholders: written.upstreams.flatMap(({ keys }) =>
      keys.flatMap(({ name, use }) =>
        use.kind === 'placeholder'
          ? [{ placeholder: placeholderOf(use.text), key: name, places: use.places }]
          : [],
      ),
    ),
    secret: ({ name }) => named(name),
    awsParts: ({ name }) => ({
      id: named(accessKeyIdName(name)),
      sessionToken: secrets.get(sessionTokenName(name)),
    }),
    accessTokens,
  }
}

/** Whether the binding is of the key that the configuration has under this name: itself, or a person's. */
export function isOf({ name, personal }: KeyBinding, configured: string): boolean {
  return (personal ?? name) === configured
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

import type { Secret } from '../adapters/keys/port.ts'
import type { Config, KeyBinding, ResolvedUpstream } from './config/types.ts'
import { createRedactor, type Redactor } from './wire/redactor.ts'

/** The upstream keys of one configuration: which may go where, and what must never come back. */
export interface KeyRing {
  /** Masks every key of the configuration: for receipts and logs. */
  readonly redactor: Redactor
  /** The bindings that hold for this request, in the order of the configuration. */
  bindingsFor(
    upstream: ResolvedUpstream,
    request: { method: string; path: string },
  ): readonly KeyBinding[]
  /** Masks what this upstream could give back: every key that may be sent to it. */
  redactorFor(upstream: ResolvedUpstream): Redactor | undefined
  /** Every placeholder of the configuration, with the name of its key. */
  readonly placeholders: readonly { readonly text: string; readonly key: string }[]
  secret(binding: KeyBinding): Secret
}

export function createKeyRing(config: Config, secrets: ReadonlyMap<string, Secret>): KeyRing {
  const all = config.upstreams.flatMap((upstream) => upstream.keys)
  const secret = (binding: KeyBinding): Secret => {
    const found = secrets.get(binding.name)
    if (found === undefined) throw new Error(`key \`${binding.name}\` was not read`)
    return found
  }
  const redactorOf = (bindings: readonly KeyBinding[]) =>
    createRedactor(
      bindings.map((binding) => ({
        name: binding.name,
        value: secret(binding).reveal(),
        ...(binding.use.kind === 'basic' ? { user: binding.use.user } : {}),
      })),
    )
  const redactors = new Map(
    config.upstreams
      .filter(({ keys }) => keys.length > 0)
      .map(({ name, keys }) => [name, redactorOf(keys)] as const),
  )
  return {
    redactor: redactorOf(all),
    bindingsFor: (upstream, request) =>
      upstream.keys.filter((binding) => bound(binding, request.method, pathOnly(request.path))),
    redactorFor: (upstream) => redactors.get(upstream.name),
    placeholders: all.flatMap((binding) =>
      binding.use.kind === 'placeholder' ? [{ text: binding.use.text, key: binding.name }] : [],
    ),
    secret,
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

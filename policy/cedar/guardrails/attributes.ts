import type { Ask, Bearing } from '../../ask.ts'
import { canonicalPath } from '../../paths.ts'
import { isJudgeable, isName } from '../../text.ts'
import { bornValues } from '../../values.ts'

/** One call as guardrails look at it. Whatever is not in it no guardrail can read. */
export interface GuardedCall {
  readonly grant: {
    readonly id: string
    readonly task?: string | undefined
    readonly keysOf?: string | undefined
  }
  readonly ask: Ask
  /** As it will be sent; `CONNECT` for a tunnel that is passed through unread. */
  readonly method: string
  readonly scheme: 'http' | 'https'
  /** Canonical. */
  readonly host: string
  readonly port: number
  /** Path of the URL without its query, decoded, so that no spelling leads around a `forbid`; empty for a tunnel. */
  readonly path: string
  /** True where no row of the catalog describes the call. */
  readonly generic: boolean
}

/** What an attribute may hold; a time is a text with a name of its own. */
export type GuardValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly datetime: string }

/** Stands for a value that no engine may look at: a call that bears one is not let past a guardrail that asks for it. */
const UNFIT = null

/** One row of the published schema. */
export interface GuardAttribute {
  readonly of: 'principal' | 'resource' | 'context'
  readonly name: string
  readonly type: 'String' | 'Long' | 'Bool' | 'datetime' | 'Set<String>'
  /** Absent in some calls: Cedar then asks for `has` before it is read. */
  readonly optional?: true
  readonly says: string
  /** Undefined where it is absent, null where it cannot be judged. */
  read(call: GuardedCall): GuardValue | undefined | null
}

/** The schema of guardrails: the published file, the context of every request and the docs are made from it. */
export const GUARD_ATTRIBUTES: readonly GuardAttribute[] = [
  {
    of: 'principal',
    name: 'task',
    type: 'String',
    optional: true,
    says: 'the task of the token: `T-7/3`',
    read: ({ grant }) => textOf(grant.task),
  },
  {
    of: 'principal',
    name: 'keys',
    type: 'String',
    optional: true,
    says: 'the person whose upstream keys are used, where the token says one',
    read: ({ grant }) => textOf(grant.keysOf),
  },
  {
    of: 'resource',
    name: 'host',
    type: 'String',
    says: 'the canonical host: lower case, no trailing dot',
    read: ({ host }) => textOf(host),
  },
  {
    of: 'resource',
    name: 'port',
    type: 'Long',
    says: 'the port, the scheme’s own where the URL names none',
    read: ({ port }) => (Number.isSafeInteger(port) ? port : UNFIT),
  },
  {
    of: 'resource',
    name: 'scheme',
    type: 'String',
    says: '`http` or `https`',
    read: ({ scheme }) => scheme,
  },
  {
    of: 'resource',
    name: 'method',
    type: 'String',
    says: 'the method in upper case; `CONNECT` for a tunnel that is passed through unread',
    read: ({ method }) => textOf(method.toUpperCase()),
  },
  {
    of: 'resource',
    name: 'generic',
    type: 'Bool',
    says: 'true where no row of the catalog describes the call',
    read: ({ generic }) => generic,
  },
  {
    of: 'resource',
    name: 'runs_code',
    type: 'Bool',
    says: 'true where the row runs code',
    read: ({ ask }) => ask.runsCode,
  },
  {
    of: 'context',
    name: 'way',
    type: 'String',
    says: 'the kind of door, as in a `ways` line: `proxy`, `mount`, …',
    read: ({ ask }) => ask.way,
  },
  {
    of: 'context',
    name: 'now',
    type: 'datetime',
    says: 'the gateway’s clock in UTC, in whole seconds',
    read: ({ ask }) => secondOf(ask.now),
  },
  {
    of: 'context',
    name: 'path',
    type: 'String',
    says: 'the path of the URL without its query, percent escapes decoded and repeated slashes as one; empty for a tunnel',
    read: ({ path }) => textOf(path),
  },
  {
    of: 'context',
    name: 'person',
    type: 'String',
    optional: true,
    says: 'the signed-in person',
    read: ({ ask }) => (ask.person === undefined || isName(ask.person) ? ask.person : UNFIT),
  },
  {
    of: 'context',
    name: 'paths',
    type: 'Set<String>',
    optional: true,
    says: 'the canonical values of the path-bearing arguments; absent where they are not known, as in a generic call',
    read: ({ ask }) =>
      setOf(ask.paths, (path) => (isJudgeable(path) ? canonicalPath(path) : UNFIT)),
  },
  {
    of: 'context',
    name: 'models',
    type: 'Set<String>',
    optional: true,
    says: 'the models that the call names; absent where they are not known, as in a generic call',
    read: ({ ask }) => setOf(ask.model, (name) => (isName(name) ? name : UNFIT)),
  },
]

function textOf(text: string | undefined): string | undefined | null {
  return text === undefined || isJudgeable(text) ? text : UNFIT
}

/** In seconds, so that one verdict stands for all calls within one. */
function secondOf(now: number): GuardValue | null {
  const time = new Date(Math.floor(now / 1000) * 1000)
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999
    ? UNFIT
    : { datetime: time.toISOString() }
}

/** A call that leaves its values to the upstream's default bears something that is not known. */
function setOf(
  bearing: Bearing,
  scalar: (value: unknown) => string | undefined | null,
): readonly string[] | undefined | null {
  if (bearing.kind === 'none') return []
  if (bearing.kind === 'unknown' || bearing.values.length === 0) return undefined
  const born = bornValues(bearing)
  const read = born.map(scalar).filter((value) => typeof value === 'string')
  return born.length > 0 && read.length === born.length ? [...new Set(read)].sort() : UNFIT
}

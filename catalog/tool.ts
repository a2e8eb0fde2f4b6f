import type { Want } from './want/types.ts'

/** Where an argument of a row stands in the HTTP request. */
export type ArgPlace = 'path' | 'query' | 'body' | 'header'

/** Type of an argument; query and path parameters are coerced to it before anything is checked. */
export type ArgType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'

/**
 * How a list or an object stands in a form: the elements joined by a sign, each member by its name in brackets (`deep`: `a[b][0]`), or as
 * JSON. Without one a list has its name for each element.
 */
export type ArgStyle = 'comma' | 'space' | 'tab' | 'pipe' | 'deep' | 'json'

/** One argument of a row. */
export interface ArgSchema {
  readonly in: ArgPlace
  readonly type?: ArgType
  readonly style?: ArgStyle
  readonly required?: boolean
  /** One line for people and models. */
  readonly description?: string
  /** The values that it may have, for people and models: the upstream is the one that refuses others. */
  readonly enum?: readonly (string | number | boolean)[]
}

/** What of an answer is kept in the body store. */
export type Keep = 'upstream' | 'delivered' | 'hash' | 'none'

/** How durable the records of a call are before it goes on: `strict` syncs each, `batch` soon after, `best-effort` never waits. */
export type Durability = 'strict' | 'batch' | 'best-effort'

/** A row of the catalog: something that can be called, under the name that tokens grant. */
export interface Tool {
  /** `GITHUB_ISSUES_LIST_FOR_REPO`. */
  readonly name: string
  readonly summary: string
  readonly scheme: 'http' | 'https'
  /** Exact canonical host, or `*.suffix` for every host below a suffix. */
  readonly host: string
  /** The scheme's own port where absent. */
  readonly port?: number
  readonly method: string
  /** Path template, `/repos/{owner}/{repo}/issues`. */
  readonly path: string
  readonly args: { readonly properties: Readonly<Record<string, ArgSchema>> }
  /**
   * How the arguments in the body stand there: each as a field of a JSON object where absent, `open` where it has fields besides that the
   * row does not name, `whole` where it is the one argument `body`; `form` where they are the fields of a form.
   */
  readonly body?: 'open' | 'whole' | 'form'
  /** Name of the configured key that goes upstream. */
  readonly key?: string
  /** Projection of an answer where the caller asks for none. */
  readonly want?: Want
  /** Select list beyond which no holder sees anything. */
  readonly only?: readonly string[]
  /** Path of the array that is the answer's rows. */
  readonly rows?: string
  /** Argument names that bear paths besides, or against, the usual ones. */
  readonly paths?: { readonly mark: readonly string[]; readonly unmark: readonly string[] }
  /** Set on a row that runs code, which no area can confine. */
  readonly runs?: 'code'
  /** Path of the argument that names the model of a model call. */
  readonly model?: string
  /** `upstream` where absent. */
  readonly keep?: Keep
  /** What the configuration says for all where absent. */
  readonly ledger?: Durability
  /** Set where the request's body is bytes of any kind, in which no argument is looked for. */
  readonly opaque?: true
  /** Set where its server says that a call changes nothing: a link that is only opened may run it. */
  readonly reads?: true
  /** The tool of an MCP server that is called in place of an HTTP request. */
  readonly mcp?: { readonly server: string; readonly tool: string }
  /** Set on `HTTP_<METHOD>`: nothing is known of what such a call does. */
  readonly generic?: true
}

/** One fault of something that was read, in the form every configuration problem has. */
export interface Problem {
  /** Where: `catalog.yaml: tools[2].method`, or a path in an envelope. */
  readonly path: string
  /** What stood there, shortened. */
  readonly got: string
  /** What to write instead. */
  readonly repair: string
}

/** The row of a call that no row of the catalog describes. */
export function genericTool(method: string): Tool {
  return Object.freeze({
    name: `HTTP_${method.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`,
    summary: `any ${method} request`,
    scheme: 'https',
    host: '*',
    method,
    path: '*',
    args: GENERIC_ARGS,
    generic: true,
  } satisfies Tool)
}

const GENERIC_PROPERTIES: Readonly<Record<string, ArgSchema>> = Object.freeze({
  host: { in: 'path', type: 'string', required: true },
  port: { in: 'path', type: 'integer', required: true },
  url_path: { in: 'path', type: 'string', required: true },
  query: { in: 'query', type: 'object' },
  url: { in: 'path', type: 'string', required: true },
})

const GENERIC_ARGS: Tool['args'] = Object.freeze({ properties: GENERIC_PROPERTIES })

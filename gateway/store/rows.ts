import { parseQuery, type RouteMatch, type Tool } from '../../catalog/index.ts'
import type { ResolvedUpstream } from '../config/types.ts'
import type { InnerRoute } from '../inner.ts'
import { refusal } from '../refusal.ts'
import { STORE_ORIGIN, STORE_PATH, storeAddress } from './address.ts'

const text = { type: 'string' } as const
const bucket = { in: 'path', ...text, required: true } as const
const OF_OBJECT = { properties: { bucket, key: bucket } } as const

/** Bytes are no arguments, and they lie in the bucket: what a receipt has of them is their hash. */
const common = { ...STORE_ORIGIN, keep: 'hash', opaque: true } as const
const object = { ...common, path: `${STORE_PATH}/{bucket}/{key}`, args: OF_OBJECT } as const

/** The rows of the gateway’s own store, as tokens name them. */
export const STORE_TOOLS = {
  STORE_GET: { name: 'STORE_GET', summary: 'an object of a bucket', method: 'GET', ...object },
  STORE_PUT: { name: 'STORE_PUT', summary: 'store an object', method: 'PUT', ...object },
  STORE_DELETE: {
    name: 'STORE_DELETE',
    summary: 'delete an object',
    method: 'DELETE',
    ...object,
  },
  STORE_LIST: {
    name: 'STORE_LIST',
    summary: 'the objects of a bucket below a folder',
    method: 'GET',
    ...common,
    path: `${STORE_PATH}/{bucket}`,
    args: {
      properties: {
        bucket,
        prefix: { in: 'query', ...text },
        delimiter: { in: 'query', ...text },
        cursor: { in: 'query', ...text },
        start_after: { in: 'query', ...text },
        limit: { in: 'query', type: 'integer' },
        include: { in: 'query', ...text },
      },
    },
  },
} as const satisfies Readonly<Record<string, Tool>>

/** The rows of the catalog in force, and the store's behind them; one list for one catalog. */
export function withStore(catalog: () => readonly Tool[]): () => readonly Tool[] {
  let known: { readonly rows: readonly Tool[]; readonly all: readonly Tool[] } | undefined
  return () => {
    const rows = catalog()
    if (known?.rows !== rows) known = { rows, all: [...rows, ...Object.values(STORE_TOOLS)] }
    return known.all
  }
}

const OBJECT_ROWS: Readonly<Record<string, Tool>> = {
  GET: STORE_TOOLS.STORE_GET,
  HEAD: STORE_TOOLS.STORE_GET,
  PUT: STORE_TOOLS.STORE_PUT,
  DELETE: STORE_TOOLS.STORE_DELETE,
}

/** What is known of the store where an upstream is asked for: it takes no key, and no model runs in it. */
const STORE_UPSTREAM: ResolvedUpstream = Object.freeze({
  name: 'store',
  route: {},
  intercept: true,
  bears: { area: true, model: false },
  keep: undefined,
  keys: [],
})

/**
 * The row of a request for the store, and its arguments in the path.
 * @throws Refusal where there is none
 */
export function storeRoute(method: string, target: string): RouteMatch {
  const { bucket: name, key, query } = storeAddress(target)
  if (key === undefined) {
    if (method !== 'GET' && method !== 'HEAD') throw notTaken(method, 'GET, HEAD')
    checkPrefix(query)
    return { tool: STORE_TOOLS.STORE_LIST, params: { bucket: name } }
  }
  const tool = Object.hasOwn(OBJECT_ROWS, method) ? OBJECT_ROWS[method] : undefined
  if (tool === undefined) throw notTaken(method, Object.keys(OBJECT_ROWS).join(', '))
  return { tool, params: { bucket: name, key } }
}

/** The same as a place inside the gateway has it. */
export function storeInside(method: string, target: string): InnerRoute {
  return { route: storeRoute(method, target), upstream: STORE_UPSTREAM, key: undefined }
}

/** A prefix is judged as a path, and `a` covers `a/b`: what begins with it and is not below it must not come along. */
function checkPrefix(query: string): void {
  const { prefix = '' } = parseQuery(query)
  const texts = [prefix].flat()
  if (texts.every((one) => one === '' || one.endsWith('/'))) return
  const got = 'a prefix that ends within a name'
  throw refusal('malformed_request', 'prefix', { got, repair: 'end it with a slash' })
}

function notTaken(method: string, methods: string) {
  const got = `\`${method.slice(0, 32)}\``
  return refusal('method_not_allowed', 'method', { got, repair: `use ${methods}` })
}

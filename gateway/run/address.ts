import { parseQuery, type QueryArgs } from '../../catalog/index.ts'
import type { Way } from '../../policy/index.ts'

/** Articles, which have an address of their own besides. */
const ARTICLES = '/a/'

/** Where several calls are posted at once. */
const BATCH_PATH = '/api/invoke-json'

/** The holder's doors by the word behind `/g/` or behind the token, and what a call through each counts as. */
const DOORS = {
  run: 'rest',
  rpc: 'rest',
  graphql: 'rest',
  ws: 'rest',
  sse: 'rest',
  hook: 'rest',
  batch: 'batch',
  mcp: 'mcp',
  tools: 'rest',
  find: 'rest',
  contracts: 'rest',
  a: 'proof',
} as const satisfies Readonly<Record<string, Way>>

/** Name of a holder's door. */
export type DoorName = keyof typeof DOORS

/** A request for a holder's door. */
export interface DoorAddress {
  readonly way: Way
  /** The token, where it is in the path. Never logged. */
  readonly token: string | undefined
  /** The target without the token: what may be written down. */
  readonly path: string
}

const WITH_TOKEN = /^\/g\/([^/?]+)(\/([a-z]+)(?:[/?]|$).*)$/s
const WITHOUT = /^\/g\/([a-z]+)(?:[/?]|$)/

/** The door that a target names; undefined where it is none of them. */
export function doorAddress(target: string): DoorAddress | undefined {
  if (pathOf(target) === BATCH_PATH) return { way: DOORS.batch, token: undefined, path: target }
  if (target.startsWith(ARTICLES)) return { way: DOORS.a, token: undefined, path: target }
  const name = WITHOUT.exec(target)?.[1]
  if (isDoor(name)) return { way: DOORS[name], token: undefined, path: target }
  const [, token, path, inside] = WITH_TOKEN.exec(target) ?? []
  if (token === undefined || path === undefined || !isDoor(inside)) return undefined
  return { way: inside === 'run' ? 'link' : DOORS[inside], token, path }
}

function isDoor(name: string | undefined): name is DoorName {
  return name !== undefined && Object.hasOwn(DOORS, name)
}

/** What stands in the path of a knock at a holder's door. */
export interface DoorPath {
  readonly name: DoorName
  /** The segment behind the door's name, as it was written; the tool's name at most of them. */
  readonly rest: string | undefined
  readonly query: QueryArgs
}

const PARTS = /^(?:\/g)?\/([a-z]+)(?:\/([^?]*))?(?:\?(.*))?$/s

/** The path of a knock at a holder's door, taken apart. */
export function doorPath(path: string): DoorPath {
  if (pathOf(path) === BATCH_PATH) return { name: 'batch', rest: undefined, query: {} }
  const [, name, rest, query = ''] = PARTS.exec(path) ?? []
  return { name: name as DoorName, rest, query: parseQuery(query) }
}

function pathOf(target: string): string {
  return target.split('?', 1)[0]!
}

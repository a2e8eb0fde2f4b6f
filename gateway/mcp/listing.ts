import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { contractOf, type Cursors, type Tool } from '../../catalog/index.ts'
import { schemaOf, type InputSchema } from './args.ts'
import { OWN_TOOLS, type OwnName } from './own-tables.ts'

/** As many tools as one page of the list has. */
const PAGE = 100
const CURSOR = 'mcp tools '

export interface Listing {
  /** The rows that the token could call. */
  readonly rows: readonly Tool[]
  /** As many of them are listed by themselves; the others are found by `resolve` and called by `run`, or by their names. */
  readonly most: number
  readonly cursors: Cursors
}

export interface ListPage {
  readonly tools: ListedTool[]
  readonly nextCursor?: string
}

/** A page of the list: the gateway's own tools first, then rows in the catalog's order. Undefined for a cursor that is none. */
export function listPage(listing: Listing, cursor: string | undefined): ListPage | undefined {
  const { rows, most, cursors } = listing
  const from = cursor === undefined ? 0 : placeOf(cursor, cursors)
  if (from === undefined) return undefined
  const names = Object.keys(OWN_TOOLS) as OwnName[]
  const length = names.length + Math.min(most, rows.length)
  const to = Math.min(from + PAGE, length)
  const own = names.slice(from, to).map((name) => ownTool(name, listing))
  const shown = rows.slice(Math.max(0, from - names.length), Math.max(0, to - names.length))
  return {
    tools: [...own, ...shown.map(rowTool)],
    ...(to < length && { nextCursor: cursors.sign(`${CURSOR}${to}`) }),
  }
}

function placeOf(cursor: string, cursors: Cursors): number | undefined {
  const text = cursors.check(cursor)
  return text?.startsWith(CURSOR) === true ? Number(text.slice(CURSOR.length)) : undefined
}

function ownTool(name: OwnName, { rows, most }: Listing): ListedTool {
  const { description, args, readOnly } = OWN_TOOLS[name]
  const hidden = Math.max(0, rows.length - most)
  const more = ` ${hidden} of the ${rows.length} tools of this token are not in the list: find them with this.`
  return {
    name,
    description: name === 'resolve' && hidden > 0 ? description + more : description,
    inputSchema: listedSchema(schemaOf(args)),
    annotations: { readOnlyHint: readOnly },
  }
}

function rowTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    description: tool.summary,
    inputSchema: listedSchema(contractOf(tool).input_schema),
    annotations: annotationsOf(tool.method),
  }
}

/** The SDK has a type for JSON by itself. */
function listedSchema(schema: InputSchema): ListedTool['inputSchema'] {
  return { ...schema } as unknown as ListedTool['inputSchema']
}

/** Methods that change nothing (RFC 9110, 9.2.1), and those that put something in the place of what was there. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'QUERY']
const REPLACING: readonly string[] = ['PUT', 'PATCH', 'DELETE']

/** What the method says; of a POST it says nothing more. */
function annotationsOf(method: string): ToolAnnotations {
  if (SAFE.includes(method)) return { readOnlyHint: true }
  return { readOnlyHint: false, ...(REPLACING.includes(method) && { destructiveHint: true }) }
}

import { isMembers } from '../../check.ts'
import { freezeDeep } from '../../freeze.ts'
import type { Tool } from '../../tool.ts'
import { membersOf } from '../openapi/values.ts'
import type { ImportedRows, Remark } from '../openapi/types.ts'
import { argsOfTool } from './args.ts'
import { nameTools } from './names.ts'
import { lineOf } from './text.ts'

const LONGEST_SUMMARY = 200
const LONGEST_TOOL_NAME = 128
/** A name that can stand in a path as it is. */
const PLAIN = /^\w[\w.-]*$/
const UNSEEN = /\p{C}/u

/** Of which server the rows are, and how it is called inside the gateway. */
export interface McpSource {
  /** Name of the server in the configuration. */
  readonly server: string
  /** First part of every name: `TRACKER`. */
  readonly prefix: string
  /** Stands for all servers where a call needs a host. */
  readonly host: string
  /** Name of the configured key that the server is asked with. */
  readonly key?: string | undefined
}

/**
 * The rows of what an MCP server lists. Nothing of it is believed: what is no tool is skipped, texts are cut to one line, and
 * each says why.
 */
export function rowsOfMcp(listed: readonly unknown[], source: McpSource): ImportedRows {
  const skipped: Remark[] = []
  const named = new Map<string, Readonly<Record<string, unknown>>>()
  for (const [at, one] of listed.entries()) {
    const why = whyNoTool(one, named)
    if (why !== undefined) skipped.push({ at: placeOf(one, at), why })
    else if (isMembers(one)) named.set(one['name'] as string, one)
  }
  const { names, notes: renamed } = nameTools([...named.keys()], source.prefix)
  const tools = new Map<string, Tool>()
  const notes: Remark[] = [...renamed]
  for (const [tool, listing] of named) {
    const name = names.get(tool)!
    const made = tools.has(name)
      ? { why: `its name ${name} is taken` }
      : argsOfTool(listing['inputSchema'], tool)
    if ('why' in made) {
      skipped.push({ at: tool, why: made.why })
      continue
    }
    const { notes: ofArgs, ...args } = made
    notes.push(...ofArgs)
    tools.set(name, rowOf(listing, { source, tool, name, args }))
  }
  return { tools: freezeDeep([...tools.values()]), skipped, notes }
}

function whyNoTool(one: unknown, others: ReadonlyMap<string, unknown>): string | undefined {
  if (!isMembers(one)) return 'it is no object'
  const { name } = one
  if (typeof name !== 'string' || name === '') return 'it has no name'
  if (name.length > LONGEST_TOOL_NAME)
    return `its name has more than ${LONGEST_TOOL_NAME} characters`
  if (UNSEEN.test(name)) return 'its name has characters that cannot be seen'
  return others.has(name) ? 'the server lists this name before' : undefined
}

/** A place in the list that can be printed. */
function placeOf(one: unknown, at: number): string {
  const name = lineOf(membersOf(one)['name'], LONGEST_TOOL_NAME)
  return name === undefined ? `tool ${at + 1}` : `tool ${at + 1} (${name})`
}

interface Named {
  readonly source: McpSource
  readonly tool: string
  readonly name: string
  readonly args: Pick<Tool, 'args' | 'body'>
}

function rowOf(listing: Readonly<Record<string, unknown>>, named: Named): Tool {
  const { source, tool, name, args } = named
  const { server, host, key } = source
  const hints = membersOf(listing['annotations'])
  const said = [listing['description'], listing['title'], hints['title'], tool]
  return {
    name,
    summary: said.map((text) => lineOf(text, LONGEST_SUMMARY)).find((line) => line !== undefined)!,
    scheme: 'http',
    host,
    method: 'POST',
    // The tool stands in it wherever it can: what is judged is this tool and no other one of that name.
    path: `/${server}/${PLAIN.test(tool) ? tool : `named/${name}`}`,
    ...args,
    ...(key !== undefined && { key }),
    ...(hints['readOnlyHint'] === true && { reads: true }),
    mcp: { server, tool },
  }
}

import { describedPaths } from './bearing.ts'
import { bodyTypeOf } from './http-request.ts'
import type { ArgPlace, ArgSchema, Keep, Tool } from './tool.ts'
import type { Want } from './want/types.ts'
import { defaultPort } from './wire/target.ts'

/** Everything about one tool that its caller needs to know. */
export interface Contract {
  readonly name: string
  readonly summary: string
  /** JSON Schema of its arguments. */
  readonly input_schema: InputSchema
  /** How a call of it is written as HTTP. */
  readonly binding: Binding
  /** Projection of an answer where the caller asks for none. */
  readonly want: Want | null
  /** Select list beyond which no holder sees anything; null where there is none. */
  readonly only: readonly string[] | null
  /** Path of the array that is the answer's rows; null where it is found by itself. */
  readonly rows: string | null
  readonly keep: Keep
  /** What a line of a token may bound of it besides `arg`. */
  readonly bears: {
    /** Arguments that an `area` line looks at. */
    readonly paths: readonly string[]
    /** Argument that a `model` line looks at. */
    readonly model: string | null
    /** Code that no area can confine. */
    readonly runs: 'code' | null
  }
  /** Lines of a token that would allow exactly this tool. */
  readonly caveats: readonly string[]
}

interface Binding {
  readonly method: string
  /** Scheme, host and path template; `mcp://<server>/<tool>` for a tool of an MCP server. */
  readonly url: string
  /** Where each argument stands. */
  readonly places: Readonly<Record<string, ArgPlace>>
  /** Media type of the body that arguments stand in; null where none does. */
  readonly body: string | null
  /** Name of the key that the gateway puts in; null where it is called without. */
  readonly key: string | null
}

interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

/** The contract of a row. */
export function contractOf(tool: Tool): Contract {
  const args = Object.entries(tool.args.properties)
  return {
    name: tool.name,
    summary: tool.summary,
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(args.map(([name, schema]) => [name, jsonSchema(schema)])),
      required: args.flatMap(([name, { required }]) => (required === true ? [name] : [])),
    },
    binding: {
      method: tool.method,
      url: addressOf(tool),
      places: Object.fromEntries(args.map(([name, schema]) => [name, schema.in])),
      body: hasBody(tool) ? bodyTypeOf(tool) : null,
      key: tool.key ?? null,
    },
    want: tool.want ?? null,
    only: tool.only ?? null,
    rows: tool.rows ?? null,
    keep: tool.keep ?? 'upstream',
    bears: {
      paths: describedPaths(tool),
      model: tool.model ?? null,
      runs: tool.runs ?? null,
    },
    caveats: [`tools = ${tool.name}`],
  }
}

function hasBody({ args, body }: Tool): boolean {
  return body === 'open' || Object.values(args.properties).some((arg) => arg.in === 'body')
}

/** Where calls of a row go, as people read it: an address and a path template, or a server of tools and one of these. */
function addressOf(tool: Tool): string {
  return tool.mcp === undefined ? `${originOf(tool)}${tool.path}` : mcpAddress(tool.mcp)
}

/** `mcp://tracker/create-issue`. */
export function mcpAddress({ server, tool }: NonNullable<Tool['mcp']>): string {
  return `mcp://${server}/${encodeURIComponent(tool)}`
}

function originOf({ scheme, host, port }: Tool): string {
  const suffix = port === undefined || port === defaultPort(scheme) ? '' : `:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}${suffix}`
}

function jsonSchema({ type, description, enum: choices }: ArgSchema): object {
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(choices !== undefined && { enum: choices }),
  }
}

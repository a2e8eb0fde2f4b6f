import type { Tool } from './tool.ts'
import { canonicalPath } from './wire/path.ts'
import { defaultPort, type Origin } from './wire/target.ts'

/** The row that describes a request, and its path parameters, percent-decoded. */
export interface RouteMatch {
  readonly tool: Tool
  readonly params: Readonly<Record<string, string>>
}

/** Finds the row of a plain HTTP request. */
export interface Router {
  /** `path` is path and query as they will be sent; undefined where no row describes the request. */
  match(method: string, origin: Origin, path: string): RouteMatch | undefined
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  tool: Tool | undefined
}

const PARAMETER = /^\{([^{}]+)\}$/

/**
 * Makes the router of a catalog whose routes are not ambiguous. An exact host goes before a suffix,
 * a longer suffix before a shorter one, and from left to right a literal segment before a parameter.
 */
export function createRouter(tools: readonly Tool[]): Router {
  const roots = new Map<string, Node>()
  const parameters = new Map(tools.map((tool) => [tool, parametersOf(tool)]))
  for (const tool of tools) {
    const key = rootKey(tool.method, { ...tool, port: tool.port ?? defaultPort(tool.scheme) })
    const root = roots.get(key) ?? createNode()
    roots.set(key, root)
    insert(root, tool)
  }
  return {
    match(method, origin, path) {
      const canonical = canonicalPath(path)
      if (!canonical.ok) return undefined
      const { scheme, port } = origin
      for (const host of hostPatterns(origin.host)) {
        const root = roots.get(rootKey(method, { scheme, port, host }))
        const tool = root && find(root, canonical.segments, 0)
        if (tool === undefined) continue
        return { tool, params: paramsOf(parameters.get(tool) ?? [], canonical.segments) }
      }
      return undefined
    },
  }
}

function rootKey(method: string, { scheme, host, port }: Origin): string {
  return `${method} ${scheme}://${host}:${port}`
}

/** The patterns that a host answers to, the most exact first. */
function* hostPatterns(host: string): Generator<string> {
  yield host
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    yield `*${host.slice(dot)}`
  }
}

function createNode(): Node {
  return { literals: new Map(), parameter: undefined, tool: undefined }
}

/** The segments of a template; a parameter is its name in braces. */
export function templateSegments(template: string): readonly string[] {
  return template.slice(1).split('/')
}

/** The name of a template's parameter; undefined for a literal segment. */
export function parameterName(segment: string): string | undefined {
  return PARAMETER.exec(segment)?.[1]
}

function insert(root: Node, tool: Tool): void {
  let node = root
  for (const segment of templateSegments(tool.path)) {
    if (parameterName(segment) !== undefined) {
      node.parameter ??= createNode()
      node = node.parameter
      continue
    }
    const next = node.literals.get(segment) ?? createNode()
    node.literals.set(segment, next)
    node = next
  }
  node.tool = tool
}

function find(node: Node, segments: readonly string[], at: number): Tool | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.tool
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, at + 1)
  if (found !== undefined || segment === '' || node.parameter === undefined) return found
  return find(node.parameter, segments, at + 1)
}

/** A parameter of a template, and the segment that holds it. */
interface Parameter {
  readonly name: string
  readonly at: number
}

function parametersOf(tool: Tool): readonly Parameter[] {
  return templateSegments(tool.path).flatMap((segment, at) => {
    const name = parameterName(segment)
    return name === undefined ? [] : [{ name, at }]
  })
}

function paramsOf(
  parameters: readonly Parameter[],
  segments: readonly string[],
): Readonly<Record<string, string>> {
  if (parameters.length === 0) return NO_PARAMS
  return Object.fromEntries(parameters.map(({ name, at }) => [name, segments[at]!]))
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})

/** What tells routes apart: rows that share it cannot both be matched. */
export function routeShape(tool: Tool): string {
  const shape = templateSegments(tool.path).map((segment) =>
    parameterName(segment) === undefined ? segment : '{}',
  )
  const origin = { ...tool, port: tool.port ?? defaultPort(tool.scheme) }
  return `${rootKey(tool.method, origin)}/${shape.join('/')}`
}

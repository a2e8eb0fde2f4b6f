import { createNode, findRoute, insertRoute, type Node } from './route-tree.ts'
import { templateSegments, valuesIn, type Segment } from './template.ts'
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

/**
 * Makes the router of a catalog whose routes are not ambiguous. An exact host goes before a suffix,
 * a longer suffix before a shorter one, and from left to right a literal segment before one with parameters.
 */
export function createRouter(tools: readonly Tool[]): Router {
  const roots = createRoots(tools)
  const parameters = new Map(tools.map((tool) => [tool, parametersOf(tool)]))
  return {
    match(method, origin, path) {
      const canonical = canonicalPath(path)
      if (!canonical.ok) return undefined
      const { scheme, port } = origin
      for (const host of hostPatterns(origin.host)) {
        const root = roots.get(rootKey(method, { scheme, port, host }))
        const tool = root && findRoute(root, canonical.segments)
        if (tool === undefined) continue
        const params = paramsOf(parameters.get(tool) ?? [], canonical.segments)
        return params && { tool, params }
      }
      return undefined
    },
  }
}

/** The trees of routes by method and origin. */
export function createRoots(tools: readonly Tool[]): ReadonlyMap<string, Node> {
  const roots = new Map<string, Node>()
  for (const tool of tools) {
    const key = rootOf(tool)
    const root = roots.get(key) ?? createNode()
    roots.set(key, root)
    insertRoute(root, tool)
  }
  return roots
}

function rootOf(tool: Tool): string {
  return rootKey(tool.method, { ...tool, port: tool.port ?? defaultPort(tool.scheme) })
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

/** A segment of a template that holds parameters, and its place. */
interface Place {
  readonly segment: Segment
  readonly at: number
}

function parametersOf(tool: Tool): readonly Place[] {
  const places = templateSegments(tool.path).map((segment, at) => ({ segment, at }))
  return places.filter(({ segment }) => segment.names.length > 0)
}

/** Undefined where the parameters of a segment can be parted in several ways: what is not known is no row’s. */
function paramsOf(
  places: readonly Place[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (places.length === 0) return NO_PARAMS
  const params: (readonly [string, string])[] = []
  for (const { segment, at } of places) {
    const values = valuesIn(segment, segments[at]!)
    if (values === undefined || values === 'ambiguous') return undefined
    for (const [place, name] of segment.names.entries()) params.push([name, values[place]!])
  }
  return Object.fromEntries(params)
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})

/** What tells routes apart: rows that share it cannot both be matched. */
export function routeShape(tool: Tool): string {
  const shape = templateSegments(tool.path).map(({ texts }) => texts.join('{}'))
  return `${rootOf(tool)}/${shape.join('/')}`
}

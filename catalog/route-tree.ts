import { isWhole, templateSegments, valuesIn, type Segment } from './template.ts'
import type { Tool } from './tool.ts'

/** A place in the tree of routes: what may stand in the next segment, and the row that ends here. */
export interface Node {
  readonly literals: Map<string, Node>
  readonly patterns: Patterns
  /** Where the segment is one parameter. */
  parameter: Node | undefined
  tool: Tool | undefined
}

/** A segment with texts and parameters, and where it leads. */
export interface Pattern {
  readonly segment: Segment
  readonly node: Node
}

/** Patterns whose texts at the ends have these lengths, by those texts; so that a segment finds its own among thousands. */
interface PatternClass {
  readonly start: number
  readonly end: number
  readonly byEnds: Map<string, Pattern[]>
}

/** The classes of a place, those with the longer texts first. */
export type Patterns = PatternClass[]

export function createNode(): Node {
  return { literals: new Map(), patterns: [], parameter: undefined, tool: undefined }
}

export function insertRoute(root: Node, tool: Tool): void {
  let node = root
  for (const segment of templateSegments(tool.path)) node = nextNode(node, segment)
  node.tool = tool
}

function nextNode(node: Node, segment: Segment): Node {
  if (isWhole(segment)) return (node.parameter ??= createNode())
  if (segment.names.length > 0) return patternNode(node.patterns, segment)
  const text = segment.texts[0]!
  const next = node.literals.get(text) ?? createNode()
  node.literals.set(text, next)
  return next
}

function patternNode(patterns: Patterns, segment: Segment): Node {
  const { texts } = segment
  const [start, end] = [texts[0]!, texts.at(-1)!]
  const { byEnds } = classOf(patterns, start.length, end.length)
  const alike = byEnds.get(start + end) ?? []
  byEnds.set(start + end, alike)
  const known = alike.find((one) => one.segment.texts.join('{}') === texts.join('{}'))
  if (known !== undefined) return known.node
  const made = { segment, node: createNode() }
  alike.push(made)
  alike.sort((a, b) => textLength(b.segment) - textLength(a.segment))
  return made.node
}

function textLength({ texts }: Segment): number {
  return texts.join('').length
}

function classOf(patterns: Patterns, start: number, end: number): PatternClass {
  const known = patterns.find((one) => one.start === start && one.end === end)
  if (known !== undefined) return known
  const made: PatternClass = { start, end, byEnds: new Map() }
  patterns.push(made)
  patterns.sort((a, b) => b.start + b.end - a.start - a.end || b.start - a.start)
  return made
}

/**
 * The row at a path of these segments. From left to right a literal goes before a pattern, the pattern with more text before
 * others, and a whole parameter comes last.
 */
export function findRoute(node: Node, segments: readonly string[], at = 0): Tool | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.tool
  const literal = node.literals.get(segment)
  const found = literal && findRoute(literal, segments, at + 1)
  if (found !== undefined || segment === '') return found
  for (const { start, end, byEnds } of node.patterns) {
    if (segment.length <= start + end) continue
    const ends = segment.slice(0, start) + segment.slice(segment.length - end)
    for (const pattern of byEnds.get(ends) ?? []) {
      if (valuesIn(pattern.segment, segment) === undefined) continue
      const inside = findRoute(pattern.node, segments, at + 1)
      if (inside !== undefined) return inside
    }
  }
  return node.parameter && findRoute(node.parameter, segments, at + 1)
}

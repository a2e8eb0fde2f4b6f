import { createRoots, routeShape } from './route.ts'
import type { Node, Pattern, Patterns } from './route-tree.ts'
import { isWhole, valuesIn, type Segment } from './template.ts'
import type { Tool } from './tool.ts'

/** Two rows of which a request can be meant for either, the later one first. */
export type Clash = readonly [tool: Tool, other: Tool]

/**
 * The rows of a list that cannot be told apart by their routes, in its order: those of one shape, and those that overlap. Rows
 * overlap where a path is of both and neither goes before the other, as with `{name}.json` and `file-{id}`: in the first
 * segment in which they differ both have texts and parameters, and each matches what the other does not.
 */
export function routeClashes(tools: readonly Tool[]): readonly Clash[] {
  const places = new Map(tools.map((tool, at) => [tool, at]))
  const byShape = new Map<string, Tool>()
  const clashes: Clash[] = []
  for (const tool of tools) {
    const shape = routeShape(tool)
    const other = byShape.get(shape)
    if (other === undefined) byShape.set(shape, tool)
    else clashes.push([tool, other])
  }
  for (const root of createRoots([...byShape.values()]).values()) {
    for (const [one, other] of overlapsIn(root)) {
      clashes.push(places.get(one)! > places.get(other)! ? [one, other] : [other, one])
    }
  }
  return clashes.toSorted(([a], [b]) => places.get(a)! - places.get(b)!)
}

function* overlapsIn(node: Node): Generator<Clash> {
  for (const [one, other] of crossing(node.patterns)) yield* meeting(one.node, other.node)
  for (const next of nextNodes(node)) yield* overlapsIn(next)
}

function nextNodes({ literals, patterns, parameter }: Node): readonly Node[] {
  const inPatterns = patternsOf(patterns).map(({ node }) => node)
  return [...literals.values(), ...inPatterns, ...(parameter === undefined ? [] : [parameter])]
}

function patternsOf(patterns: Patterns): readonly Pattern[] {
  return patterns.flatMap(({ byEnds }) => [...byEnds.values()].flat())
}

/** Pairs of patterns that match a text together, while neither is a case of the other. */
function* crossing(patterns: Patterns): Generator<readonly [Pattern, Pattern]> {
  const all = patternsOf(patterns)
  const several = all.filter(({ segment }) => segment.names.length > 1)
  const single = all.filter(({ segment }) => segment.names.length === 1)
  for (const [at, one] of several.entries()) {
    for (const other of [...several.slice(at + 1), ...single]) {
      if (cross(one.segment, other.segment)) yield [one, other]
    }
  }
  yield* crossingEnds(single)
}

/** Of patterns with one parameter, found by the ends that they have in common rather than each by each. */
function* crossingEnds(single: readonly Pattern[]): Generator<readonly [Pattern, Pattern]> {
  const classes = [...groupBy(single, lengthsOf).values()]
  for (const [at, ones] of classes.entries()) {
    for (const others of classes.slice(at + 1)) {
      const [a, b] = [ones[0]!.segment.texts, others[0]!.segment.texts]
      const start = Math.min(a[0]!.length, b[0]!.length)
      const end = Math.min(a[1]!.length, b[1]!.length)
      const common = ({ segment: { texts } }: Pattern) =>
        `${texts[0]!.slice(0, start)}{}${texts[1]!.slice(texts[1]!.length - end)}`
      const byCommon = groupBy(ones, common)
      for (const other of others) {
        for (const one of byCommon.get(common(other)) ?? []) {
          if (cross(one.segment, other.segment)) yield [one, other]
        }
      }
    }
  }
}

function lengthsOf({ segment: { texts } }: Pattern): string {
  return `${texts[0]!.length} ${texts[1]!.length}`
}

function groupBy(
  patterns: readonly Pattern[],
  keyOf: (pattern: Pattern) => string,
): ReadonlyMap<string, readonly Pattern[]> {
  const groups = new Map<string, Pattern[]>()
  for (const pattern of patterns) {
    const key = keyOf(pattern)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [pattern])
    else group.push(pattern)
  }
  return groups
}

function cross(one: Segment, other: Segment): boolean {
  return meet(one, other) && !isCaseOf(one, other) && !isCaseOf(other, one)
}

/** Whether a text is of both; in their parameters any text may stand, so that their ends alone decide. */
function meet({ texts: one }: Segment, { texts: other }: Segment): boolean {
  const starts = [one[0]!, other[0]!]
  const ends = [one.at(-1)!, other.at(-1)!]
  return (
    (starts[0]!.startsWith(starts[1]!) || starts[1]!.startsWith(starts[0]!)) &&
    (ends[0]!.endsWith(ends[1]!) || ends[1]!.endsWith(ends[0]!))
  )
}

/** Stands for any text; no path holds it. */
const ANYTHING = '\u0000'

function isCaseOf({ texts }: Segment, general: Segment): boolean {
  return valuesIn(general, texts.join(ANYTHING)) !== undefined
}

/** The rows below two places that the same path leads to. */
function* meeting(one: Node, other: Node): Generator<Clash> {
  if (one.tool !== undefined && other.tool !== undefined) yield [one.tool, other.tool]
  for (const [segment, next] of stepsOf(one)) {
    for (const [segmentOfOther, nextOfOther] of stepsOf(other)) {
      if (mayBeSame(segment, segmentOfOther)) yield* meeting(next, nextOfOther)
    }
  }
}

function stepsOf({ literals, patterns, parameter }: Node): readonly (readonly [Segment, Node])[] {
  const whole: Segment = { texts: ['', ''], names: ['any'] }
  return [
    ...[...literals].map(([text, node]) => [{ texts: [text], names: [] }, node] as const),
    ...patternsOf(patterns).map(({ segment, node }) => [segment, node] as const),
    ...(parameter === undefined ? [] : [[whole, parameter] as const]),
  ]
}

function mayBeSame(one: Segment, other: Segment): boolean {
  if (one.names.length > 0 && other.names.length > 0)
    return isWhole(one) || isWhole(other) || meet(one, other)
  const [literal, general] = one.names.length === 0 ? [one, other] : [other, one]
  return valuesIn(general, literal.texts[0]!) !== undefined
}

import type { Selector, Step } from './path.ts'

/**
 * A select list compiled to a tree that is walked beside the document. `take` copies a value whole,
 * `skip` leaves it out, `walk` looks inside.
 */
export interface SelectNode {
  readonly mode: 'take' | 'walk' | 'skip'
  /** Whether a value of this kind stays; one of another kind than the path expects is left out. */
  readonly scalar: boolean
  readonly object: boolean
  readonly array: boolean
  readonly members: ReadonlyMap<string, SelectNode>
  /** For every member that `members` does not name. */
  readonly others: SelectNode | undefined
  readonly elements: SelectNode | undefined
}

const NO_MEMBERS: ReadonlyMap<string, SelectNode> = new Map()

/** Keeps everything. */
export const TAKE: SelectNode = Object.freeze({
  mode: 'take',
  scalar: true,
  object: true,
  array: true,
  members: NO_MEMBERS,
  others: undefined,
  elements: undefined,
})

/** Keeps nothing. */
export const SKIP: SelectNode = Object.freeze({
  ...TAKE,
  mode: 'skip',
  scalar: false,
  object: false,
  array: false,
})

/** What holds for the member `name` of an object at `node`; undefined is a name that no list speaks of. */
export function memberOf(node: SelectNode, name: string | undefined): SelectNode {
  if (node.mode !== 'walk') return node
  const named = name === undefined ? undefined : node.members.get(name)
  return named ?? node.others ?? SKIP
}

/** What holds for the elements of an array at `node`. */
export function elementOf(node: SelectNode): SelectNode {
  return node.mode === 'walk' ? (node.elements ?? SKIP) : node
}

/** Compiles a select list. Without a path to keep, everything stays but what is left out. */
export function compileSelect(selectors: readonly Selector[]): SelectNode {
  const kept = selectors.filter((selector) => !selector.out).map((selector) => selector.steps)
  const left = selectors.filter((selector) => selector.out).map((selector) => selector.steps)
  return compileNode(kept.length === 0 ? [[]] : kept, left)
}

/** `kept` and `left` are what remains of the paths at this place; an empty one ends here. */
function compileNode(
  kept: readonly (readonly Step[])[],
  left: readonly (readonly Step[])[],
): SelectNode {
  if (kept.length === 0 || left.some((steps) => steps.length === 0)) return SKIP
  const whole = kept.some((steps) => steps.length === 0)
  if (whole && left.length === 0) return TAKE
  const members = new Map<string, SelectNode>()
  for (const name of namesOf([...kept, ...left])) {
    members.set(name, compileNode(stay(whole, membersOf(kept, name)), membersOf(left, name)))
  }
  return {
    mode: 'walk',
    scalar: whole,
    object: whole || kept.some((steps) => steps[0]?.kind !== 'each'),
    array: whole || kept.some((steps) => steps[0]?.kind === 'each'),
    members,
    others: compileNode(stay(whole, membersOf(kept, undefined)), membersOf(left, undefined)),
    elements: compileNode(stay(whole, eachOf(kept)), eachOf(left)),
  }
}

function stay(whole: boolean, paths: readonly (readonly Step[])[]): readonly (readonly Step[])[] {
  return whole ? [[]] : paths
}

function namesOf(paths: readonly (readonly Step[])[]): ReadonlySet<string> {
  return new Set(paths.flatMap(([step]) => (step?.kind === 'member' ? [step.name] : [])))
}

function membersOf(
  paths: readonly (readonly Step[])[],
  name: string | undefined,
): readonly (readonly Step[])[] {
  return paths
    .filter(([step]) => step?.kind === 'any' || (step?.kind === 'member' && step.name === name))
    .map((steps) => steps.slice(1))
}

function eachOf(paths: readonly (readonly Step[])[]): readonly (readonly Step[])[] {
  return paths.filter(([step]) => step?.kind === 'each').map((steps) => steps.slice(1))
}

/** Keeps what both trees keep. */
export function intersect(one: SelectNode, two: SelectNode): SelectNode {
  if (one.mode === 'skip' || two.mode === 'skip') return SKIP
  if (one.mode === 'take') return two
  if (two.mode === 'take') return one
  const names = new Set([...one.members.keys(), ...two.members.keys()])
  return {
    mode: 'walk',
    scalar: one.scalar && two.scalar,
    object: one.object && two.object,
    array: one.array && two.array,
    members: new Map(
      [...names].map((name) => [name, intersect(memberOf(one, name), memberOf(two, name))]),
    ),
    others: intersect(one.others ?? SKIP, two.others ?? SKIP),
    elements: intersect(one.elements ?? SKIP, two.elements ?? SKIP),
  }
}

/** The tree that has `rows` as the elements of the array at `path`, and `around` everywhere else. */
export function aroundRows(
  path: readonly string[],
  rows: SelectNode,
  around: SelectNode,
): SelectNode {
  const keeps = around.mode === 'take'
  const [name, ...rest] = path
  const node = { mode: 'walk', scalar: keeps, object: keeps, array: keeps } as const
  if (name === undefined) {
    return { ...node, array: true, members: NO_MEMBERS, others: around, elements: rows }
  }
  const members = new Map([[name, aroundRows(rest, rows, around)]])
  return { ...node, object: true, members, others: around, elements: around }
}

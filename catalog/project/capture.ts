import { parsePath, type Step } from '../want/path.ts'
import { elementOf, memberOf, type SelectNode } from '../want/select.ts'

/** Which values of a row are read besides being copied: for filter, order, figures and columns. */
export interface CaptureNode {
  readonly members: ReadonlyMap<string, CaptureNode>
  readonly elements: CaptureNode | undefined
  /** Slots of the paths that end here. */
  readonly slots: readonly number[]
  /** Every slot here and deeper. */
  readonly below: readonly number[]
}

interface Pending {
  readonly slot: number
  readonly steps: readonly Step[]
}

/**
 * Compiles the paths, each into the slot of its position. A path that is not wholly within `ceiling`
 * is never read: a filter on a hidden member would tell its value.
 */
export function compileCapture(
  paths: readonly string[],
  ceiling: SelectNode,
  relative: (steps: readonly Step[]) => readonly Step[],
): CaptureNode | undefined {
  const pending = paths
    .map((path, slot) => ({ slot, steps: relative(parsePath(path) ?? []) }))
    .filter(({ steps }) => isVisible(steps, ceiling))
  return compileNode(pending)
}

/** Whether a path leads to something that is wholly within `ceiling`. */
export function isVisible(steps: readonly Step[], ceiling: SelectNode): boolean {
  const node = steps.reduce(
    (at, step) => (step.kind === 'member' ? memberOf(at, step.name) : elementOf(at)),
    ceiling,
  )
  return node.mode === 'take'
}

function compileNode(pending: readonly Pending[]): CaptureNode | undefined {
  if (pending.length === 0) return undefined
  const names = new Set(
    pending.flatMap(({ steps: [step] }) => (step?.kind === 'member' ? [step.name] : [])),
  )
  const behind = (takes: (step: Step) => boolean) =>
    compileNode(
      pending
        .filter(({ steps: [step] }) => step !== undefined && takes(step))
        .map(({ slot, steps }) => ({ slot, steps: steps.slice(1) })),
    )
  const members = [...names].map((name) => {
    const node = behind((step) => step.kind === 'member' && step.name === name)
    return [name, node!] as const
  })
  return {
    members: new Map(members),
    elements: behind((step) => step.kind === 'each'),
    slots: pending.filter(({ steps }) => steps.length === 0).map(({ slot }) => slot),
    below: pending.map(({ slot }) => slot),
  }
}

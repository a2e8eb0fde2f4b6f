import type { SeenChild } from '../../../../adapters/grants/port.ts'

/** A token narrowed from a grant, with those that were narrowed from it in turn. */
export interface Narrowing {
  readonly link: string
  /** The lines that it adds to the token above it. */
  readonly lines: readonly string[]
  readonly seen: string
  /** All places of its chain. */
  readonly links: readonly string[]
  readonly below: readonly Narrowing[]
}

/** The children of a grant as a tree: each stands below the narrowest other one that it was made from. */
export function narrowingsOf(
  children: readonly SeenChild[],
  grantLines: number,
): readonly Narrowing[] {
  const known = new Map(children.map((child) => [child.links.at(-1) ?? '', child]))
  const above = new Map<SeenChild | undefined, SeenChild[]>()
  for (const child of children) {
    const parent = child.links.slice(0, -1).findLast((link) => known.has(link))
    const key = parent === undefined ? undefined : known.get(parent)
    const siblings = above.get(key) ?? []
    siblings.push(child)
    above.set(key, siblings)
  }
  const below = (parent: SeenChild | undefined): readonly Narrowing[] =>
    (above.get(parent) ?? []).map((child) => ({
      link: child.links.at(-1) ?? '',
      lines: child.lines.slice(parent?.lines.length ?? grantLines),
      seen: child.seen,
      links: child.links,
      below: below(child),
    }))
  return below(undefined)
}

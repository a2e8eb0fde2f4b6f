import { isMembers } from './check.ts'
import type { Tool } from './tool.ts'

/** What a call's arguments say of paths or models: nothing, something that is not known, or these values. */
export type ArgBearing =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'values'; readonly values: readonly unknown[] }

type Args = Readonly<Record<string, unknown>>

/** Arguments that are taken for paths, whatever row they belong to. */
const PATH_NAMES: readonly string[] = [
  'path',
  'file',
  'file_path',
  'filepath',
  'dir',
  'directory',
  'cwd',
  'folder',
  'key',
  'prefix',
  'target_file',
  'notebook_path',
]

const NONE: ArgBearing = Object.freeze({ kind: 'none' })
const UNKNOWN: ArgBearing = Object.freeze({ kind: 'unknown' })

/**
 * The values of a call's path-bearing arguments, at any depth, lists taken apart. A row that has no
 * such argument, neither described nor sent, bears none; of a generic call nothing is known.
 */
export function pathBearing(tool: Tool, args: Args): ArgBearing {
  if (tool.generic) return UNKNOWN
  const names = pathNames(tool)
  const found = valuesUnder(names, args)
  if (found !== undefined) return { kind: 'values', values: found }
  return describedPaths(tool).length > 0 ? { kind: 'values', values: [] } : NONE
}

/** The arguments of a row's description that bear paths. */
export function describedPaths(tool: Tool): readonly string[] {
  const names = pathNames(tool)
  return Object.keys(tool.args.properties).filter((name) => names.has(name))
}

function pathNames({ paths }: Tool): ReadonlySet<string> {
  const unmarked = new Set(paths?.unmark)
  return new Set([...PATH_NAMES, ...(paths?.mark ?? [])].filter((name) => !unmarked.has(name)))
}

/** The values of the members with one of the names; undefined where there is no such member. */
function valuesUnder(names: ReadonlySet<string>, args: Args): readonly unknown[] | undefined {
  const values: unknown[] = []
  let isFound = false
  // A stack of its own, since an argument may be nested deeper than calls can be.
  const pending: unknown[] = [args]
  while (pending.length > 0) {
    const next = pending.pop()
    if (Array.isArray(next)) {
      for (const item of next) pending.push(item)
      continue
    }
    if (!isMembers(next)) continue
    for (const [name, value] of Object.entries(next)) {
      if (names.has(name)) {
        isFound = true
        for (const item of takenApart(value)) values.push(item)
      }
      pending.push(value)
    }
  }
  return isFound ? values : undefined
}

function takenApart(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? (value as readonly unknown[]).flat(Number.POSITIVE_INFINITY)
    : [value]
}

/** The model that a call names, by the row's `model`; a row without one calls no model. */
export function modelOf(tool: Tool, args: Args): ArgBearing {
  if (tool.generic) return UNKNOWN
  if (tool.model === undefined) return NONE
  const value = tool.model
    .split('.')
    .reduce<unknown>(
      (at, name) => (isMembers(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      args,
    )
  return { kind: 'values', values: value === undefined ? [] : takenApart(value) }
}

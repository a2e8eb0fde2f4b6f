import { areIndexes, DEEPEST, isBracketName } from './style.ts'

/** Names in brackets and what they hold, in the order in which they came. */
export type Tree = Map<string, Tree | string>

/** Elements with empty brackets, `a[]`, get the next index; beside other names it would not be known which that is. */
const NEXT = ''

/** Puts a value at the end of a way of names. False where something else stands there, or the way is none. */
export function putNested(root: Tree, way: readonly string[], value: string): boolean {
  if (way.length >= DEEPEST) return false
  let tree = root
  for (const name of way.slice(0, -1)) {
    if (!isBracketName(name)) return false
    const next = tree.get(name) ?? new Map()
    if (typeof next === 'string') return false
    tree.set(name, next)
    tree = next
  }
  const last = way.at(-1)!
  return last === NEXT ? append(tree, value) : set(tree, last, value)
}

const appended = new WeakSet<Tree>()

function append(tree: Tree, value: string): boolean {
  if (tree.size > 0 && !appended.has(tree)) return false
  appended.add(tree)
  tree.set(String(tree.size), value)
  return true
}

function set(tree: Tree, name: string, value: string): boolean {
  if (tree.has(name) || appended.has(tree)) return false
  tree.set(name, value)
  return true
}

/** A list where the names are indexes in order, else an object. */
export function valueOfTree(tree: Tree): unknown {
  const entries = [...tree].map(([name, inner]) => {
    return [name, typeof inner === 'string' ? inner : valueOfTree(inner)] as const
  })
  return areIndexes([...tree.keys()])
    ? entries.map(([, value]) => value)
    : // Its members are its own, so that `__proto__` is a name like any other.
      Object.fromEntries(entries)
}

import type { Operation, Remark } from './types.ts'

const LONGEST = 128

/** A name for every operation of a document, and a remark where it is not the operation's own. */
export interface Named {
  readonly names: ReadonlyMap<Operation, string>
  readonly notes: readonly Remark[]
}

/** One way of naming, from the nicest to the surest. */
type Naming = (operation: Operation) => string

/**
 * `issues/list-for-repo` becomes `GITHUB_ISSUES_LIST_FOR_REPO`. An operation without an id goes by method and path. Where several would have one
 * name each gets its method behind it; where that is not enough they go by method and path, and then by a number: so a name
 * does not depend on what stands before it in the document, but for the number.
 */
export function nameAll(operations: readonly Operation[], prefix: string): Named {
  const byId: Naming = (operation) => withPrefix(prefix, idWords(operation))
  const byMethod: Naming = (operation) => cut(`${byId(operation)}_${operation.method}`)
  const byPath: Naming = (operation) => withPrefix(prefix, pathWords(operation))
  const names = new Map(operations.map((operation) => [operation, byId(operation)]))
  const own = new Map(names)
  for (const naming of [byMethod, byPath]) {
    for (const group of collisions(names)) {
      for (const operation of group) names.set(operation, naming(operation))
    }
  }
  numberTheRest(names)
  return { names, notes: operations.flatMap((operation) => remarks(operation, names, own)) }
}

function remarks(
  operation: Operation,
  names: ReadonlyMap<Operation, string>,
  own: ReadonlyMap<Operation, string>,
): readonly Remark[] {
  const [name, wanted] = [names.get(operation)!, own.get(operation)!]
  const { at } = operation
  if (name !== wanted) return [{ at, why: `named ${name}, as ${wanted} is not its alone` }]
  if (operation.id === undefined) return [{ at, why: `named ${name}, as it has no operationId` }]
  return []
}

function idWords(operation: Operation): string {
  const words = wordsIn(operation.id ?? '')
  return words === '' ? pathWords(operation) : words
}

/** `GET /repos/{owner}/issues` is `GET_REPOS_BY_OWNER_ISSUES`. */
function pathWords({ method, path }: Operation): string {
  return wordsIn(`${method} ${path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ')}`)
}

/** The words of an identifier in the spelling of names, cut at humps: `listForRepo` is `LIST_FOR_REPO`. */
function wordsIn(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toUpperCase()
    .split(/[^A-Z\d]+/)
    .filter(Boolean)
    .join('_')
}

function withPrefix(prefix: string, words: string): string {
  return cut(words === '' ? prefix : `${prefix}_${words}`)
}

function cut(name: string): string {
  return name.slice(0, LONGEST).replace(/_+$/, '')
}

function collisions(names: ReadonlyMap<Operation, string>): readonly (readonly Operation[])[] {
  const groups = new Map<string, Operation[]>()
  for (const [operation, name] of names) {
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [operation])
    else group.push(operation)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

function numberTheRest(names: Map<Operation, string>): void {
  const taken = new Set(names.values())
  for (const group of collisions(names)) {
    for (const operation of group.slice(1)) {
      const name = names.get(operation)!
      let number = 2
      while (taken.has(numbered(name, number))) number++
      names.set(operation, numbered(name, number))
      taken.add(numbered(name, number))
    }
  }
}

function numbered(name: string, number: number): string {
  const suffix = `_${number}`
  return `${name.slice(0, LONGEST - suffix.length)}${suffix}`
}

import { collisions, cutName, withPrefix, withSuffix, wordsIn } from '../words.ts'
import type { Operation, Remark } from './types.ts'

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
  const byMethod: Naming = (operation) => cutName(`${byId(operation)}_${operation.method}`)
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

function numberTheRest(names: Map<Operation, string>): void {
  const taken = new Set(names.values())
  for (const group of collisions(names)) {
    for (const operation of group.slice(1)) {
      const name = names.get(operation)!
      let number = 2
      while (taken.has(withSuffix(name, String(number)))) number++
      names.set(operation, withSuffix(name, String(number)))
      taken.add(withSuffix(name, String(number)))
    }
  }
}

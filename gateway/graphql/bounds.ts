import {
  GraphQLError,
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { MOST_CALLS } from '../batch/calls.ts'

/** Levels of fields: an introspection that clients send has 15 of them. */
const DEEPEST = 24
/** Fields in all, each as often as fragments repeat it: four of every call, and an introspection besides. */
const MOST_FIELDS = 2000

interface Size {
  readonly depth: number
  readonly fields: number
}

/**
 * What a document may ask for at the most. This is counted before anything else looks at it, with every fragment in its places:
 * what validates or runs a document takes longer the more of it there is.
 */
export function overBounds({ definitions }: DocumentNode): readonly GraphQLError[] {
  const fragments = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )
  const measure = createMeasure(fragments)
  const errors: GraphQLError[] = []
  let fields = 0
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { selections } = definition.selectionSet
    const calls = measure.calls(selections)
    const size = measure.size(selections)
    fields += size.fields
    if (calls > MOST_CALLS) errors.push(tooMuch(`${MOST_CALLS} calls`))
    if (size.depth > DEEPEST) errors.push(tooMuch(`${DEEPEST} levels`))
  }
  if (fields > MOST_FIELDS) errors.push(tooMuch(`${MOST_FIELDS} fields`))
  return errors
}

function tooMuch(bound: string): GraphQLError {
  return new GraphQLError(`the document asks for too much: at most ${bound} in one`)
}

/** A fragment is measured once; one that stands in itself has no end. */
function createMeasure(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, Size & { readonly calls: number }>()
  const ENDLESS = { depth: Infinity, fields: Infinity, calls: Infinity }
  const ofFragment = (name: string) => {
    const found = known.get(name)
    if (found !== undefined) return found
    known.set(name, ENDLESS)
    const selections = fragments.get(name)?.selectionSet.selections ?? []
    const measured = { ...size(selections), calls: calls(selections) }
    known.set(name, measured)
    return measured
  }
  const size = (selections: readonly SelectionNode[]): Size => {
    let depth = 0
    let fields = 0
    for (const selection of selections) {
      const below = sizeOf(selection)
      depth = Math.max(depth, below.depth)
      fields += below.fields
    }
    return { depth, fields }
  }
  const sizeOf = (selection: SelectionNode): Size => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value)
    const below = size(selection.selectionSet?.selections ?? [])
    if (selection.kind === Kind.INLINE_FRAGMENT) return below
    return { depth: below.depth + 1, fields: below.fields + 1 }
  }
  const calls = (selections: readonly SelectionNode[]): number =>
    selections.reduce((sum, selection) => sum + callsOf(selection), 0)
  const callsOf = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__') ? 0 : 1
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value).calls
    return calls(selection.selectionSet.selections)
  }
  return { size, calls }
}

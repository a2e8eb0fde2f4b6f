import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'
import { FORMS, type Form, HOST } from './forms.ts'

/** A text that stands against what no call can hold. */
export interface LiteralFault {
  readonly got: string
  readonly repair: string
}

/** A member of the JSON form of a policy. */
type Node = unknown

/** Operators that compare a value with others; of a `like`, the pattern stands beside its left side. */
const COMPARISONS = ['==', '!=', 'contains', 'containsAll', 'containsAny'] as const

/**
 * Finds texts that an attribute or a host can never hold, so that the comparison is always false: the `forbid` would
 * let all through, and nobody would see it. What is not written as a text is not judged.
 */
export function literalFaults(policy: Cedar.PolicyJson): readonly LiteralFault[] {
  const faults = new Map<string, LiteralFault>()
  const note = (text: string, forms: readonly Form[], fits: (form: Form) => boolean) => {
    const [form] = forms
    if (form === undefined || forms.some(fits)) return
    const got = `${JSON.stringify(text)} as a ${form.name}`
    faults.set(got, { got, repair: form.repair })
  }
  for (const node of nodesOf(policy)) {
    if (node['type'] === 'Host' && typeof node['id'] === 'string')
      note(node['id'], [HOST], ({ holds }) => holds(node['id'] as string))
    for (const operator of COMPARISONS) {
      const { left, right } = sidesOf(node[operator])
      const forms = [...formsOf(left), ...formsOf(right)]
      for (const text of [...textsOf(left), ...textsOf(right)])
        note(text, forms, ({ holds }) => holds(text))
    }
    const { left, pattern } = sidesOf(node['like'])
    if (isPattern(pattern))
      note(patternText(pattern), formsOf(left), ({ matches }) => matches(piecesOf(pattern)))
  }
  return [...faults.values()]
}

interface Sides {
  readonly left?: Node
  readonly right?: Node
  readonly pattern?: Node
}

function sidesOf(node: Node): Sides {
  return isMembers(node) ? node : {}
}

/** All objects of a policy, itself first. */
function nodesOf(policy: Node): readonly Readonly<Record<string, Node>>[] {
  if (Array.isArray(policy)) return policy.flatMap(nodesOf)
  return isMembers(policy) ? [policy, ...Object.values(policy).flatMap(nodesOf)] : []
}

/** The forms of the attributes whose value an expression may come to. */
function formsOf(node: Node): readonly Form[] {
  return valuesOf(node).flatMap((value) => {
    const attribute = isMembers(value['.']) ? value['.']['attr'] : undefined
    return typeof attribute === 'string' ? (FORMS.get(attribute) ?? []) : []
  })
}

/** The texts that stand in an expression as its value. */
function textsOf(node: Node): readonly string[] {
  return valuesOf(node).flatMap(({ Value: text }) => (typeof text === 'string' ? [text] : []))
}

/** What an expression may come to: members of a set, both ways of a choice, or itself. */
function valuesOf(node: Node): readonly Readonly<Record<string, Node>>[] {
  if (!isMembers(node)) return []
  const { Set: members, 'if-then-else': choice } = node
  if (Array.isArray(members)) return members.flatMap(valuesOf)
  if (isMembers(choice)) return [...valuesOf(choice['then']), ...valuesOf(choice['else'])]
  return [node]
}

type Pattern = readonly ('Wildcard' | { readonly Literal: string })[]

function isPattern(pattern: Node): pattern is Pattern {
  return Array.isArray(pattern)
}

/** The literal pieces between the wildcards; one piece is a pattern without one. */
function piecesOf(pattern: Pattern): readonly string[] {
  const pieces = ['']
  for (const part of pattern) {
    if (part === 'Wildcard') pieces.push('')
    else pieces.push(`${pieces.pop() ?? ''}${part.Literal}`)
  }
  return pieces
}

function patternText(pattern: Pattern): string {
  return piecesOf(pattern).join('*')
}

function isMembers(node: Node): node is Readonly<Record<string, Node>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}

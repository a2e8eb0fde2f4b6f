/** One step of a path into a document. */
export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'each' }

const MAX_STEPS = 64
// What has a meaning in a path can be part of no name, since paths know no escapes.
const NAME = /^[^.,*[\]\p{Cc}]+$/u
const PART = /^(.*?)((?:\[\])*)$/s

/** Reads `user.login`, `items[].id`, `meta.*`: `[]` goes into each element, `*` into any member. */
export function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = []
  for (const part of text.split('.')) {
    const [, name = '', each = ''] = PART.exec(part) ?? []
    if (name === '*') steps.push({ kind: 'any' })
    else if (NAME.test(name)) steps.push({ kind: 'member', name })
    else return undefined
    for (let at = 0; at < each.length; at += 2) steps.push({ kind: 'each' })
  }
  return steps.length > MAX_STEPS ? undefined : steps
}

/** One entry of a select list: a path to keep, or one to leave out. */
export interface Selector {
  readonly out: boolean
  readonly steps: readonly Step[]
}

/** Reads a selector, which is a path with an optional leading `-`. */
export function parseSelector(text: string): Selector | undefined {
  const out = text.startsWith('-')
  const steps = parsePath(out ? text.slice(1) : text)
  return steps && { out, steps }
}

/** The steps before the first `[]`, where they are plain members: the array that a selector goes into. */
export function arrayOf(steps: readonly Step[]): readonly string[] | undefined {
  const end = steps.findIndex((step) => step.kind === 'each')
  return end < 0 ? undefined : memberNames(steps.slice(0, end))
}

/** The names of a path of plain members alone; undefined for any other path. */
export function memberNames(steps: readonly Step[]): readonly string[] | undefined {
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  return names.length === steps.length ? names : undefined
}

/** What is left of `steps` behind `rows[]`; undefined where the path does not go there. */
export function behindRows(
  steps: readonly Step[],
  rows: readonly string[],
): readonly Step[] | undefined {
  const array = arrayOf(steps)
  const same = array?.length === rows.length && array.every((name, at) => name === rows[at])
  return same ? steps.slice(rows.length + 1) : undefined
}

import type { Aggregate, Want, Where } from '../want/types.ts'
import type { ViewName } from '../views/types.ts'
import { VIEWS } from '../views/fields.ts'
import { pathsOfWhere } from '../want/filter.ts'
import { emptyDraft, note, type Draft } from './draft.ts'
import type { KnownNames } from './names.ts'
import type { Reading } from './rule.ts'
import { RULES } from './rules.ts'
import { readTokens } from './tokens.ts'

/** What a question in plain words was taken for. */
export interface Understood {
  readonly view: ViewName
  /** In the envelope's grammar: asking the view this gives the same answer. */
  readonly want: Want
  /** Words that nothing was made of, in order. */
  readonly unknown: readonly string[]
}

/**
 * Reads a question to the ledger, by rules alone: the same words mean the same at any time but for what `now` decides.
 * Days are those of UTC.
 */
export function understand(
  question: string,
  { now, known }: { readonly now: number; readonly known: KnownNames },
): Understood {
  const reading: Reading = { tokens: readTokens(question), draft: emptyDraft(), known, now }
  const { tokens, draft } = reading
  for (let at = 0; at < tokens.length;) {
    const length = firstTaken(reading, at)
    if (length === 0) draft.unknown.push(tokens[at]?.text ?? '')
    at += Math.max(1, length)
  }
  const view = viewOf(draft)
  return { view, want: wantOf(view, draft), unknown: draft.unknown }
}

function firstTaken(reading: Reading, at: number): number {
  for (const rule of RULES) {
    const length = rule(reading, at)
    if (length > 0) return length
  }
  return 0
}

const GROUPED: Readonly<Partial<Record<ViewName, string>>> = {
  runs: 'run',
  grants: 'grant',
  tasks: 'task',
}

/** What the rows of a view have in common, where another view has to answer. */
const MEANT: Readonly<Partial<Record<ViewName, Where>>> = {
  refusals: { outcome: 'refused' },
  turns: { model: { exists: true } },
}

/**
 * Which view answers: the one that was named, or the first other one that has every field. Views of groups have no
 * tools or outcomes to filter by: then the groups are made of exchanges.
 */
function viewOf(draft: Draft): ViewName {
  const { view = 'exchanges', by } = draft
  const group = GROUPED[view]
  if (group !== undefined) {
    if (isPlain(draft)) return view
    if (by.length < 2) note(by, group)
  }
  const named = group === undefined ? view : 'exchanges'
  const found = [named, 'exchanges' as const, 'refusals' as const].find((each) =>
    fieldsOf(draft).every((name) => name in VIEWS[each].fields),
  )
  const chosen = found ?? named
  const meant = MEANT[named]
  if (chosen !== named && chosen === 'exchanges' && meant !== undefined) draft.where.push(meant)
  dropStrangers(chosen, draft)
  return chosen
}

function isPlain({ where, outcomes, by, figures }: Draft): boolean {
  return [where, outcomes, by, figures].every((list) => list.length === 0)
}

function fieldsOf({ where, by, measures, superlative }: Draft): readonly string[] {
  const ordered = superlative === undefined ? [] : [ORDERED[superlative.by]]
  const grouped = by.map((name) => name.split(':', 1)[0] ?? '')
  return [...where.flatMap(pathsOfWhere), ...grouped, ...measures, ...ordered.flat()]
}

/** What no view has together with the rest is not understood. */
function dropStrangers(view: ViewName, draft: Draft): void {
  const { fields } = VIEWS[view]
  const isKnown = (name: string) => (name.split(':', 1)[0] ?? '') in fields
  for (const list of [draft.by, draft.measures]) {
    draft.unknown.push(...list.filter((name) => !isKnown(name)))
    list.splice(0, list.length, ...list.filter(isKnown))
  }
  const { superlative } = draft
  const [measured] = superlative === undefined ? [] : ORDERED[superlative.by]
  // What cannot be measured there is counted.
  if (superlative !== undefined && measured !== undefined && !isKnown(measured))
    draft.superlative = { ...superlative, by: 'count' }
  const strangers = draft.where.filter((part) => !pathsOfWhere(part).every(isKnown))
  draft.unknown.push(...strangers.flatMap(pathsOfWhere))
  draft.where.splice(
    0,
    draft.where.length,
    ...draft.where.filter((part) => !strangers.includes(part)),
  )
}

function wantOf(view: ViewName, draft: Draft): Want {
  const { span, fields } = VIEWS[view]
  const where: Where[] = [...draft.where]
  const [outcome] = draft.outcomes
  if (outcome !== undefined && 'outcome' in fields)
    where.unshift({ outcome: draft.outcomes.length === 1 ? outcome : { in: draft.outcomes } })
  if (draft.from !== undefined) where.push({ [span.since]: { gte: draft.from } })
  if (draft.until !== undefined) where.push({ [span.until]: { lt: draft.until } })
  const aggregate = aggregateOf(draft)
  const order = aggregate === undefined ? rowsOrder(view, draft) : groupsOrder(aggregate, draft)
  const [only] = where
  return {
    ...(only !== undefined && { where: where.length === 1 ? only : { and: where } }),
    ...(order !== undefined && { order: [order] }),
    ...(draft.limit !== undefined &&
      isPaged(aggregate) && { page: { limit: limitOf(draft.limit) } }),
    ...(aggregate !== undefined && { want: { aggregate } }),
  }
}

function isPaged(aggregate: Aggregate | undefined): boolean {
  return aggregate === undefined || aggregate.by !== undefined
}

function limitOf(limit: number): number {
  return Math.min(Math.max(limit, 1), 10_000)
}

/** Figures are of the time, where nothing else is named; groups are counted, where no figure is. */
function aggregateOf({ by, figures, measures, superlative }: Draft): Aggregate | undefined {
  const asked = figures.filter((name) => name !== 'count')
  if (by.length === 0 && figures.length === 0) return undefined
  const fields = measures.length === 0 ? ['ms'] : measures
  const named = asked.map((name) => [name, fields] as const)
  const implied = asked.length === 0 ? impliedBy(superlative) : undefined
  const counts = figures.includes('count') || (asked.length === 0 && implied === undefined)
  return {
    ...(counts && { count: true }),
    ...Object.fromEntries(named),
    ...implied,
    ...(by.length > 0 && { by: by.slice(0, 2) }),
  }
}

/** What groups are ordered by that are slow or large. */
function impliedBy(superlative: Draft['superlative']): Aggregate | undefined {
  if (superlative?.by === 'time') return { p95: ['ms'] }
  return superlative?.by === 'size' ? { sum: ['response_bytes'] } : undefined
}

/** Groups of time come in its order, others with the most first. */
function groupsOrder(aggregate: Aggregate, { superlative }: Draft): string | undefined {
  const [first] = aggregate.by ?? []
  if (first === undefined) return undefined
  const down = superlative?.descending === false ? '' : '-'
  if (superlative === undefined && first.includes(':')) return `by.${first}`
  const figure = Object.entries(aggregate).find(
    ([, fields]) => Array.isArray(fields) && fields !== aggregate.by,
  )
  if (figure !== undefined && superlative?.by !== 'count') {
    const [name, [field]] = figure as [string, string[]]
    return `${down}${name}.${field}`
  }
  return aggregate.count === true ? `${down}count` : undefined
}

/** The field that a superlative is about; the others are about how many there are, or when. */
const ORDERED = { time: ['ms'], size: ['response_bytes'], count: [], age: [] } as const

function rowsOrder(view: ViewName, { superlative }: Draft): string | undefined {
  if (superlative === undefined) return undefined
  const { fields, span } = VIEWS[view]
  const [measured] = ORDERED[superlative.by]
  const counted = superlative.by === 'count' && 'calls' in fields ? 'calls' : span.since
  const field = measured !== undefined && measured in fields ? measured : counted
  return `${superlative.descending ? '-' : ''}${field}`
}

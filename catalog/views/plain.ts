import { createReport, type FieldProblem, type Report } from '../check.ts'
import { checkWant } from '../want/parse.ts'
import type { Want, Where } from '../want/types.ts'
import { VIEWS } from './fields.ts'
import type { FieldType, View, ViewName } from './types.ts'
import { keptWhere } from './where.ts'

const TESTS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'glob', 'prefix', 'exists'] as const
const FIGURES = ['sum', 'min', 'max', 'avg', 'p50', 'p95', 'p99'] as const
const LISTS = ['select', 'order', 'by', ...FIGURES] as const
const OTHERS = [
  'since',
  'until',
  'limit',
  'cursor',
  'count',
  'shape',
  'format',
  'max_bytes',
] as const

/** Parameters that are no fields. */
export const PLAIN_PARAMETERS: readonly string[] = [...OTHERS, ...LISTS, 'q']

export type ReadWant =
  | { readonly ok: true; readonly want: Want }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Query parameters as programs parse them: a list where one came several times. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Reads a question to a view: `q` holds it as JSON, in the envelope's grammar; otherwise it stands in plain parameters,
 * such as `outcome=refused&tool=GITHUB_*&ms.gte=100&order=-opened&by=tool&p95=ms`.
 */
export function readPlainWant(name: ViewName, given: Parameters): ReadWant {
  const report = createReport()
  const { q, ...plain } = given
  if (q !== undefined) return readJson(q, Object.keys(plain), report)
  const view = VIEWS[name]
  const single = (parameter: string) => once(parameter, given[parameter], report)
  const filters = Object.entries(plain).flatMap(([parameter, value]) =>
    value === undefined || isOther(parameter) ? [] : filterOf(parameter, value, { view, report }),
  )
  const where = [...filters, ...spanOf(view, single)].map((filter) => {
    judge(filter, { view, report })
    return filter.where
  })
  const want = {
    ...(where.length > 0 && { where: where.length === 1 ? where[0] : { and: where } }),
    ...listsOf(['select', 'order'], given),
    ...membersOf({ page: pageOf(single, report), want: resultOf(given, { single, report }) }),
  }
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  return checkWant(withColumns(want, view))
}

/** What every program that asks for CSV without naming columns means: all of them. */
function withColumns(want: Want, view: View): Want {
  const isBare = want.want?.format === 'csv' && want.select === undefined
  return isBare ? { ...want, select: Object.keys(view.fields) } : want
}

function readJson(
  q: string | readonly string[],
  others: readonly string[],
  report: Report,
): ReadWant {
  for (const name of others) report.malformed(name, 'a parameter beside q', 'put it into q')
  const text = once('q', q, report) ?? ''
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  try {
    return checkWant(JSON.parse(text))
  } catch {
    report.malformed(
      'q',
      text,
      'write JSON: `{"where": …, "select": …, "order": …, "page": …, "want": …}`',
    )
    return { ok: false, problems: report.problems }
  }
}

function isOther(parameter: string): boolean {
  return PLAIN_PARAMETERS.includes(parameter)
}

interface Reading {
  readonly view: View
  readonly report: Report
}

/** What one parameter filters by. */
interface Filter {
  readonly parameter: string
  readonly where: Where
}

/** Judges a value where it stands, so that a problem names the parameter and no place in a filter that nobody wrote. */
function judge({ parameter, where }: Filter, { view, report }: Reading): void {
  const own = createReport()
  keptWhere(where, '', { view, report: own })
  for (const problem of own.problems) report.include({ ...problem, path: parameter })
}

/** `tool=GITHUB_*`, `outcome=refused` (also several times), `ms.gte=100`, `code.exists=true`. */
function filterOf(
  parameter: string,
  value: string | readonly string[],
  { view, report }: Reading,
): readonly Filter[] {
  const filters = (tests: readonly object[]) =>
    tests.map((test) => ({ parameter, where: { [name]: test } as Where }))
  const [name = '', given] = splitName(parameter)
  const field = Object.hasOwn(view.fields, name) ? view.fields[name] : undefined
  const test = TESTS.find((each) => each === given)
  if (field === undefined || (given !== undefined && test === undefined)) {
    const known = field === undefined ? [...Object.keys(view.fields), ...PLAIN_PARAMETERS] : TESTS
    report.unknown(parameter, parameter, known)
    return []
  }
  const texts = typeof value === 'string' ? [value] : value
  if (test === undefined && texts.length === 1)
    return filters([plainTest(field.type, texts[0] ?? '')])
  if (test === 'in' || test === undefined) {
    const list = test === 'in' ? texts.flatMap((text) => text.split(',')) : texts
    return filters([{ in: list.map((text) => valueOf(field.type, text)) }])
  }
  const wantedOf = (text: string) => (test === 'exists' ? truth(text) : valueOf(field.type, text))
  return filters(texts.map((text) => ({ [test]: wantedOf(text) })))
}

function splitName(parameter: string): readonly string[] {
  const dot = parameter.indexOf('.')
  return dot < 0 ? [parameter] : [parameter.slice(0, dot), parameter.slice(dot + 1)]
}

function plainTest(
  type: FieldType,
  text: string,
): { readonly glob: string } | { readonly eq: Plain } {
  return type === 'text' && text.includes('*') ? { glob: text } : { eq: valueOf(type, text) }
}

type Plain = string | number | boolean

/** What does not read as the field's kind stays a text, which the check of the view refuses with its repair. */
function valueOf(type: FieldType, text: string): Plain {
  if (type === 'flag') return truth(text)
  if (type !== 'number' && type !== 'milliseconds') return text
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function truth(text: string): Plain {
  return text === 'true' || (text === 'false' ? false : text)
}

type Single = (parameter: string) => string | undefined

function once(
  parameter: string,
  value: string | readonly string[] | undefined,
  report: Report,
): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  report.malformed(parameter, value, 'give it once')
  return undefined
}

function spanOf({ span }: View, single: Single): readonly Filter[] {
  const filters = [
    ['since', span.since, 'gte'],
    ['until', span.until, 'lt'],
  ] as const
  return filters.flatMap(([parameter, field, test]) => {
    const text = single(parameter)
    return text === undefined ? [] : [{ parameter, where: { [field]: { [test]: text } } }]
  })
}

function pageOf(single: Single, report: Report): object | undefined {
  const [limit, cursor] = [single('limit'), single('cursor')]
  if (limit === undefined && cursor === undefined) return undefined
  return membersOf({ limit: wholeOf('limit', limit, report), cursor })
}

function wholeOf(parameter: string, text: string | undefined, report: Report): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  report.malformed(parameter, text, 'write a whole number')
  return undefined
}

interface Results {
  readonly single: Single
  readonly report: Report
}

function resultOf(given: Parameters, { single, report }: Results): object | undefined {
  const lists = listsOf(['by', ...FIGURES], given)
  const count = single('count')
  if (count !== undefined && count !== 'true') report.malformed('count', count, 'write true')
  const figures = Object.keys(lists).some((name) => name !== 'by')
  const counts = count === 'true' || ('by' in lists && !figures)
  const aggregate = { ...lists, ...(counts && { count: true }) }
  const result = membersOf({
    shape: single('shape'),
    aggregate: Object.keys(aggregate).length === 0 ? undefined : aggregate,
    format: single('format'),
    max_bytes: wholeOf('max_bytes', single('max_bytes'), report),
  })
  return Object.keys(result).length === 0 ? undefined : result
}

/** Lists with commas; several of one name are one list. */
function listsOf(names: readonly string[], given: Parameters): Readonly<Record<string, string[]>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name]
      if (value === undefined) return []
      const texts = typeof value === 'string' ? [value] : value
      return [[name, texts.flatMap((text) => text.split(','))]]
    }),
  )
}

function membersOf(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

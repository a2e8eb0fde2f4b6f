import type { Projection } from './projection.ts'

/** How a document comes: one JSON value, or one on each line. */
export type InputForm = 'json' | 'ndjson'

/** How a result is laid out: rows in their place in the document, or alone in some form. */
export type Layout = 'in_place' | 'lines' | 'table' | 'first' | 'figures'

/** The layout of a result. Lines stay lines where no form was asked for. */
export function layoutOf(projection: Projection, input: InputForm): Layout {
  const { shape, aggregate } = projection.want.want ?? {}
  if (aggregate !== undefined || shape === 'count') return 'figures'
  const format = projection.format ?? input
  if (format === 'csv') return 'table'
  if (format === 'ndjson') return 'lines'
  return shape === 'first' ? 'first' : 'in_place'
}

const FORMS: ReadonlyMap<string, InputForm> = new Map([
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['application/x-jsonlines', 'ndjson'],
])

/** The form of an answer by its media type; undefined where it is no JSON and passes as it is. */
export function inputFormOf(contentType: string): InputForm | undefined {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return FORMS.get(type) ?? (/^[a-z]+\/[^ ]+\+json$/.test(type) ? 'json' : undefined)
}

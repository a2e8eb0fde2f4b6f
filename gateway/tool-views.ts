import {
  compileProjection,
  parseWant,
  projectReference,
  type Cursors,
  type Resolver,
  type Tool,
} from '../catalog/index.ts'
import { oneOf, readParameters, wholeNumber } from './parameters.ts'
import { refusalOfProblems } from './problems.ts'
import { refusal } from './refusal.ts'

const MOST_FOUND = 1000
const LONGEST_QUESTION = 1024
const DEFAULT_PAGE = 100

const anyText = () => undefined

const LIST = { light: oneOf('1'), want: anyText }
const QUERY = {
  q: (text: string) =>
    text.trim() !== '' && text.length <= LONGEST_QUESTION
      ? undefined
      : `write a question of 1 to ${LONGEST_QUESTION} characters`,
  limit: wholeNumber(1, MOST_FOUND),
}

/** A list of rows as it was asked for, and the cursor of the page behind it where there is one. */
export interface ToolList {
  readonly value: unknown
  readonly next: string | undefined
}

/**
 * The rows as a query string asks for them: `light=1` is the names alone, `want` cuts them down in the envelope's grammar; a page
 * where none is named.
 * @throws Refusal
 */
export function listTools(tools: readonly Tool[], query: unknown, cursors: Cursors): ToolList {
  const { light, want } = readParameters(query, LIST)
  if (light === undefined) return listed(tools, want ?? '{}', cursors)
  if (want === undefined) return { value: tools.map(({ name }) => name), next: undefined }
  throw refusal('malformed_request', 'want', {
    got: 'a want beside light',
    repair: 'leave one of them out',
  })
}

function listed(tools: readonly Tool[], text: string, cursors: Cursors): ToolList {
  const parsed = parseWant(text)
  if (!parsed.ok) throw refusalOfProblems(parsed.problems)
  const want = { ...parsed.want, page: { limit: DEFAULT_PAGE, ...parsed.want.page } }
  const compiled = compileProjection(want, { cursors })
  if (!compiled.ok) throw refusalOfProblems(compiled.problems)
  const { result, page } = projectReference(tools, compiled.projection)
  return { value: result, next: typeof page?.next === 'string' ? page.next : undefined }
}

/**
 * The rows that a question in plain words means, each with its reason.
 * @throws Refusal
 */
export function findTools(
  resolver: Resolver<Tool>,
  query: unknown,
  mayCall?: (row: Tool) => boolean,
): object {
  const { q, limit } = readParameters(query, QUERY)
  if (q === undefined) {
    const repair = 'ask something: `?q=list issues`'
    throw refusal('malformed_request', 'q', { got: 'nothing', repair })
  }
  const found = resolver.find(q, {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(mayCall !== undefined && { mayCall }),
  })
  const rows = found.map(({ row: { name, summary }, ...reason }) => ({ name, summary, ...reason }))
  return { query: q, rows }
}

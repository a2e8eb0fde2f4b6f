import {
  checkWant,
  compileProjection,
  parseJsonBody,
  parseWant,
  projectReference,
  type Cursors,
  type ParsedWant,
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

const PLAIN = {
  select: anyText,
  where: anyText,
  order: anyText,
  limit: wholeNumber(1, 1_000_000),
  cursor: anyText,
}
const LIST = { light: oneOf('1'), want: anyText, ...PLAIN }
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
 * The rows as a query string asks for them: `light=1` is the names alone, `want` cuts them down in the envelope's grammar, and so do
 * its members one by one (`select=name,summary&order=-name&limit=10`); a page where none is named.
 * @throws Refusal
 */
export function listTools(tools: readonly Tool[], query: unknown, cursors: Cursors): ToolList {
  const { light, want, ...plain } = readParameters(query, LIST)
  const [name] = Object.keys(plain)
  const ways = [light, want, name].filter((given) => given !== undefined)
  if (ways.length > 1)
    throw refusal('malformed_request', name ?? 'want', {
      got: `${name ?? 'want'} beside ${light === undefined ? 'want' : 'light'}`,
      repair: 'leave one of them out',
    })
  if (light !== undefined) return { value: tools.map((tool) => tool.name), next: undefined }
  return listed(tools, want === undefined ? checkWant(wantOf(plain)) : parseWant(want), cursors)
}

/** Members of the grammar that stand in parameters of their own: lists with commas, and a filter as JSON. */
function wantOf({
  select,
  where,
  order,
  limit,
  cursor,
}: Readonly<Partial<Record<keyof typeof PLAIN, string>>>): object {
  const page = {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(cursor !== undefined && { cursor }),
  }
  return {
    ...(select !== undefined && { select: select.split(',') }),
    ...(where !== undefined && { where: filterOf(where) }),
    ...(order !== undefined && { order: order.split(',') }),
    page,
  }
}

function filterOf(text: string): unknown {
  const read = parseJsonBody(Buffer.from(text))
  if (read.ok) return read.value
  throw refusal('malformed_request', 'where', {
    got: `\`${text.slice(0, 80)}\``,
    repair: 'write JSON: `{"host": "api.github.com"}`',
  })
}

function listed(tools: readonly Tool[], parsed: ParsedWant, cursors: Cursors): ToolList {
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

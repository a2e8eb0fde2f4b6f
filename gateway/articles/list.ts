import {
  compileProjection,
  parseWant,
  projectReference,
  type Article,
  type Cursors,
} from '../../catalog/index.ts'
import { readParameters } from '../parameters.ts'
import { refusalOfProblems } from '../problems.ts'

const DEFAULT_PAGE = 100

const LIST = { want: () => undefined }

/**
 * Articles without their blocks and sources, as `want` asks for them in the envelope's grammar, and the cursor of the page behind
 * where there is one.
 * @throws Refusal
 */
export function listArticles(
  articles: readonly Article[],
  query: unknown,
  cursors: Cursors,
): { readonly value: unknown; readonly next: string | undefined } {
  const { want: text = '{}' } = readParameters(query, LIST)
  const parsed = parseWant(text)
  if (!parsed.ok) throw refusalOfProblems(parsed.problems)
  const want = { ...parsed.want, page: { limit: DEFAULT_PAGE, ...parsed.want.page } }
  const compiled = compileProjection(want, { cursors })
  if (!compiled.ok) throw refusalOfProblems(compiled.problems)
  const heads = articles.map(({ blocks: _blocks, sources: _sources, ...head }) => head)
  const { result, page } = projectReference(heads, compiled.projection)
  return { value: result, next: typeof page?.next === 'string' ? page.next : undefined }
}

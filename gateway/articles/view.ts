import { RELATIONS, type Article, type Block } from '../../catalog/index.ts'
import { Refusal } from '../refusal.ts'
import { articleUnknown } from './faults.ts'
import { readLive, type Live, type LivePlace } from './live.ts'
import type { Articles } from './store.ts'

/** What is told of an article where another one names it. */
export type Card = Pick<Article, 'slug' | 'title' | 'kind' | 'summary'>

/** An article with all that its pages show of other things. */
export interface ArticleView {
  readonly article: Article
  /** The articles that it names, by slug; those that are missing, or not for this reader, are not in it. */
  readonly cards: ReadonlyMap<string, Card>
  /** What the ledger says now, by the number of the block. */
  readonly live: ReadonlyMap<number, Live>
}

export interface ArticlePlace extends LivePlace {
  readonly articles: Pick<Articles, 'get'>
}

/**
 * The article of a slug as this viewer may read it.
 * @throws Refusal where there is none for them
 */
export async function readArticle(
  slug: string,
  { articles, viewer }: Pick<ArticlePlace, 'articles' | 'viewer'>,
): Promise<Article> {
  const article = await articles.get(slug)
  if (article === undefined || !viewer.reads(article)) throw articleUnknown()
  return article
}

/** The same with what its pages show besides. */
export async function viewArticle(slug: string, place: ArticlePlace): Promise<ArticleView> {
  const article = await readArticle(slug, place)
  const cards = new Map<string, Card>()
  for (const named of namedBy(article)) {
    const card = await cardOf(named, place)
    if (card !== undefined) cards.set(named, card)
  }
  const live = new Map<number, Live>()
  for (const [at, block] of article.blocks.entries())
    if (block.type === 'ledger') live.set(at, await readLive(block, place))
  return { article, cards, live }
}

function namedBy(article: Article): ReadonlySet<string> {
  const inBlocks = (block: Block) => (block.type === 'card' ? [block.slug] : [])
  return new Set([
    ...RELATIONS.flatMap((relation) => article[relation]),
    ...article.blocks.flatMap(inBlocks),
  ])
}

/** What cannot be read is missing on the page of another article, and no fault of that. */
async function cardOf(
  slug: string,
  place: Pick<ArticlePlace, 'articles' | 'viewer'>,
): Promise<Card | undefined> {
  try {
    const { title, kind, summary } = await readArticle(slug, place)
    return { slug, title, kind, summary }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

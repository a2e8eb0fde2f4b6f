import type { Article } from '../../catalog/index.ts'
import { articleMarkdown } from './markdown.ts'
import { readArticle, viewArticle, type ArticlePlace } from './view.ts'

/** Forms of an article that are no pages. */
export type TextForm = 'json' | 'md'

/** An article as it goes out. */
export interface Told {
  readonly type: string
  readonly text: string
  /** Of the article; quoted, as the header wants it. */
  readonly etag: string
}

/** `<slug>`, `<slug>.json` or `<slug>.md`; the page where no form is named. */
export function articleFile(file: string): {
  readonly slug: string
  readonly form: TextForm | 'page'
} {
  const [, slug = file, form] = /^(.*)\.(json|md)$/s.exec(file) ?? []
  return { slug, form: (form as TextForm | undefined) ?? 'page' }
}

/**
 * The article in one of its forms. In JSON it comes with its hash and those of its sources, and without what the ledger says now.
 * @throws Refusal where there is none for this viewer
 */
export async function tellArticle(
  slug: string,
  form: TextForm,
  place: ArticlePlace,
): Promise<Told> {
  if (form === 'md') {
    const view = await viewArticle(slug, place)
    const type = 'text/markdown; charset=utf-8'
    return { type, text: articleMarkdown(view), etag: etagOf(view.article) }
  }
  const article = await readArticle(slug, place)
  const { hash, sources } = article
  const hashes = sources.map(({ sha256 }) => sha256)
  const text = `${JSON.stringify({ article, hash, sources: hashes })}\n`
  return { type: 'application/json', text, etag: etagOf(article) }
}

export function etagOf({ hash }: Article): string {
  return `"${hash}"`
}

import { RELATIONS, type Article, type Relation, type Source } from '../../catalog/index.ts'
import { html, type Markup } from '../pages/html.ts'
import { badge, facts, timeOf } from '../pages/parts.ts'
import { blocksOf, factShown } from './blocks.ts'
import { cardOf } from './cards.ts'
import type { ArticleView } from './view.ts'

/** What differs between the places where an article is shown. */
export interface PageLinks {
  /** The address of a receipt; undefined where there is none to follow. */
  receipt(id: string): string | undefined
}

/** An article as a page: the articles around it are links beside it, whatever the address that it is shown at. */
export function articlePage(view: ArticleView, links: PageLinks): Markup {
  const { article } = view
  const { title, kind, status, summary, tags, updated, slug, hash } = article
  const rows = Object.entries(article.facts).map(
    ([name, fact]) => [html`<code>${name}</code>`, factShown(fact)] as const,
  )
  return html`<article class="stack prose">
    <header class="tight">
      <h1>${title}</h1>
      <p>
        ${badge('plain', kind)} ${badge(status === 'published' ? 'good' : 'warn', status)}
        ${tags.map((tag) => html` ${badge('plain', tag)}`)}
      </p>
      ${summary === '' ? undefined : html`<p class="lead">${summary}</p>`}
    </header>
    ${blocksOf(view)}
    ${section('facts', 'Facts', rows.length > 0 ? html`<div class="card">${facts(rows)}</div>` : undefined)}
    ${relations(view)} ${sourcesOf(article, links)}
    <footer class="tight soft">
      <p>Written ${timeOf(article.created)}, changed ${timeOf(updated)}.</p>
      <p>SHA-256 <code>${hash}</code></p>
      <p class="actions"><a href="${slug}.json">JSON</a><a href="${slug}.md">Markdown</a></p>
    </footer>
  </article>`
}

function section(id: string, name: string, body: Markup | undefined): Markup | undefined {
  if (body === undefined) return undefined
  return html`<section class="tight" aria-labelledby="${id}-head">
    <h2 id="${id}-head">${name}</h2>
    ${body}
  </section>`
}

const NAMES: Readonly<Record<Relation, string>> = {
  above: 'Above',
  below: 'Below',
  adjacent: 'Beside',
  nested: 'Within',
}

function relations({ article, cards }: ArticleView): readonly (Markup | undefined)[] {
  return RELATIONS.map((relation) => {
    const slugs = article[relation]
    const items = slugs.map((slug) => html`<li>${cardOf(slug, cards)}</li>`)
    const body =
      slugs.length === 0
        ? undefined
        : html`<ul class="cards">
            ${items}
          </ul>`
    return section(relation, NAMES[relation], body)
  })
}

function sourcesOf({ sources }: Article, links: PageLinks): Markup | undefined {
  if (sources.length === 0) return undefined
  const items = sources.map(
    (source, at) => html`<li id="source-${at}">${sourceOf(source, links)}</li>`,
  )
  return section(
    'sources',
    'Sources',
    html`<ol class="sources" start="0">
      ${items}
    </ol>`,
  )
}

function sourceOf({ title, sha256, receipt, part, object }: Source, links: PageLinks): Markup {
  const href = receipt === undefined ? undefined : links.receipt(receipt)
  const name = html`<code>${receipt ?? object}</code>`
  return html`${title === undefined ? undefined : html`${title}: `}${part}
    ${href === undefined ? name : html`<a href="${href}">${name}</a>`} <br /><span class="soft"
      >SHA-256 <code>${sha256}</code></span
    >`
}

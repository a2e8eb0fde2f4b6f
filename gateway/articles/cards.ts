import { html, type Markup } from '../pages/html.ts'
import { badge } from '../pages/parts.ts'
import type { Card } from './view.ts'

/** Another article in few words, or that there is none for this reader. */
export function cardOf(slug: string, cards: ReadonlyMap<string, Card>): Markup {
  const card = cards.get(slug)
  if (card === undefined)
    return html`<div class="card">
      <p class="soft">No article <code>${slug}</code> here.</p>
    </div>`
  return html`<div class="card">
    <p><a href="${slug}">${card.title}</a> ${badge('plain', card.kind)}</p>
    ${card.summary === '' ? undefined : html`<p class="soft">${card.summary}</p>`}
  </div>`
}

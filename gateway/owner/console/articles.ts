import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { articlePage } from '../../articles/page.ts'
import { articleFile, tellArticle } from '../../articles/told.ts'
import { viewArticle } from '../../articles/view.ts'
import { OWNER } from '../../articles/viewer.ts'
import type { Article } from '../../../catalog/index.ts'
import { html } from '../../pages/html.ts'
import { badge, tableOf, timeOf, type Column } from '../../pages/parts.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from '../routes/get.ts'
import { pageAt } from './address.ts'
import { framed } from './frame.ts'
import { readQuery } from './query.ts'

const ON_A_PAGE = 50

const COLUMNS: readonly Column<Article>[] = [
  {
    name: 'Title',
    cell: ({ slug, title }) => html`<a href="${pageAt(['articles', slug])}">${title}</a>`,
  },
  { name: 'Kind', kind: 'wide', cell: ({ kind }) => kind },
  { name: 'Status', cell: ({ status }) => badge(status === 'published' ? 'good' : 'warn', status) },
  { name: 'Changed', kind: 'wide', cell: ({ updated }) => timeOf(updated) },
]

/** All articles, and each as a page, as JSON and as Markdown. */
export function articlePages(scope: FastifyInstance, ports: OwnerPorts): void {
  const { articles, index, cursors } = ports
  addGet(scope, '/articles', async (request) => {
    const { after = '' } = readQuery(request, ['after'])
    const behind = (await articles.list()).filter(({ slug }) => slug > after)
    const shown = behind.slice(0, ON_A_PAGE)
    const next = behind.length > shown.length ? shown.at(-1)?.slug : undefined
    const none = html`<p class="card nothing">
      No article here. <code>POST /api/jarticles</code> makes one, of a task’s receipts too.
    </p>`
    const main = html`<div class="stack">
      <h1>Articles</h1>
      ${tableOf('Articles', COLUMNS, shown) ?? none}
      ${
        next === undefined
          ? undefined
          : html`<nav class="actions" aria-label="Pages">
              <a class="button" href="${pageAt(['articles'], { after: next })}">More</a>
            </nav>`
      }
    </div>`
    return framed(request, 'Articles', main)
  })
  addGet(scope, '/articles/:file', async (request, reply) => {
    readQuery(request, [])
    await index.sync()
    const { slug, form } = articleFile(fileOf(request))
    const place = { articles, index, cursors, viewer: OWNER }
    if (form !== 'page') return sendText(reply, await tellArticle(slug, form, place))
    const view = await viewArticle(slug, place)
    const links = { receipt: (id: string) => pageAt(['ledger', id]) }
    return framed(request, view.article.title, articlePage(view, links))
  })
}

function fileOf({ params }: FastifyRequest): string {
  return (params as { readonly file: string }).file
}

function sendText(
  reply: FastifyReply,
  { type, text }: { readonly type: string; readonly text: string },
): FastifyReply {
  return reply.header('content-type', type).send(Buffer.from(text))
}

import type { DoorAround, HolderDoor } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { html } from '../pages/html.ts'
import { INLINE_HEADERS, inlinePage } from '../pages/inline.ts'
import { readParameters } from '../parameters.ts'
import { doorPath } from '../run/address.ts'
import { methodNotTaken } from '../run/call.ts'
import { checkWay } from '../standing.ts'
import { articlePage } from './page.ts'
import { articleFile, etagOf, tellArticle, type Told } from './told.ts'
import { viewArticle, type ArticlePlace } from './view.ts'
import { holderOf } from './viewer.ts'

/** Nobody at this address has receipts to follow: they take the token in a field. */
const LINKS = { receipt: () => undefined }

/**
 * Articles for holders whose tokens include the way `proof`: those that are published, with what of the ledger the token may see. To
 * read is no use of the token.
 */
export const answerArticle: HolderDoor = async (knock, around) => {
  if (knock.method !== 'GET' && knock.method !== 'HEAD')
    throw methodNotTaken(knock.method, 'GET, HEAD')
  const { rest = '', query } = doorPath(knock.path)
  readParameters(query, {})
  const place = await placeOf(knock, around)
  const { slug, form } = articleFile(rest)
  if (form !== 'page') return told(await tellArticle(slug, form, place), around)
  const view = await viewArticle(slug, place)
  const main = html`${articlePage(view, LINKS)}`
  const text = inlinePage({ title: view.article.title, main })
  const type = 'text/html; charset=utf-8'
  return told({ type, text, etag: etagOf(view.article) }, around)
}

async function placeOf(
  knock: Knock,
  { standing, index, cursors, articles }: DoorAround,
): Promise<ArticlePlace> {
  const stands = await standing(knock)
  checkWay(stands, 'proof')
  await index.sync()
  return { articles, index, cursors, viewer: holderOf(stands) }
}

function told({ type, text, etag }: Told, { head, headers }: DoorAround): Reply {
  const fields = ['content-type', type, 'etag', etag, headers.head, head().hash]
  const safe = Object.entries(INLINE_HEADERS).flat()
  return { status: 200, headers: [...fields, ...safe], body: Buffer.from(text) }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson, type Article } from '../../../catalog/index.ts'
import { hashMissing, OtherHash, otherHash } from '../../articles/faults.ts'
import { draftOfTask, readFromTask } from '../../articles/from-task.ts'
import { listArticles } from '../../articles/list.ts'
import { inlinePage, INLINE_HEADERS } from '../../pages/inline.ts'
import { articlePage } from '../../articles/page.ts'
import { articleFile, etagOf, tellArticle } from '../../articles/told.ts'
import { verifySources } from '../../articles/verify.ts'
import { readArticle, viewArticle } from '../../articles/view.ts'
import { OWNER } from '../../articles/viewer.ts'
import { refusal } from '../../refusal.ts'
import { readConditions } from '../../store/conditions.ts'
import { BODIES } from '../openapi/bodies.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors, type Handler } from './doors.ts'
import { addGet } from './get.ts'

const MERGE_PATCH = 'application/merge-patch+json'

/** Articles: written by the owner alone, read here by their address too. */
export function articleRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const { articles } = ports
  void app.register(async (door) => {
    const parse = door.getDefaultJsonParser('error', 'error')
    door.addContentTypeParser(MERGE_PATCH, { parseAs: 'string' }, parse)
    addDoors(door, '/api/jarticles', {
      async GET(request, reply) {
        const { value, next } = listArticles(await articles.list(), request.query, ports.cursors)
        if (next !== undefined) reply.header(ports.cursorHeader(), next)
        return value
      },
      POST: {
        body: BODIES.Article,
        async handler({ body }, reply) {
          const from = readFromTask(body as object)
          const draft = from ? await draftOfTask(from, ports) : (body as object)
          const article = await articles.create(draft)
          reply.code(201).header('location', `/api/jarticles/${article.slug}`)
          return send(reply, article)
        },
      },
    })
    addDoors(door, '/api/jarticles/:slug', {
      async GET(request, reply) {
        return send(reply, await readArticle(slugOf(request), { articles, viewer: OWNER }))
      },
      PUT: { body: BODIES.ArticleWhole, handler: change('whole', ports) },
      PATCH: { body: BODIES.ArticlePatch, handler: change('patch', ports) },
      async DELETE(request, reply) {
        await judged(reply, () => articles.remove(targetOf(request)))
        return reply.code(204).send()
      },
    })
    addDoors(door, '/api/jarticles/:slug/verify', {
      POST: { body: BODIES.ArticleVerify, handler: (request) => verify(request, ports) },
    })
  })
  addGet(app, '/a/:file', (request, reply) => read(request, reply, ports))
}

function slugOf({ params }: FastifyRequest): string {
  return (params as { readonly slug: string }).slug
}

function send(reply: FastifyReply, article: Article): FastifyReply {
  reply.header('etag', etagOf(article)).header('content-type', 'application/json')
  return reply.send(Buffer.from(canonicalJson(article)))
}

function change(how: 'whole' | 'patch', { articles }: OwnerPorts): Handler {
  return async (request, reply) => {
    const made = { [how]: request.body } as { readonly [name in typeof how]: object }
    return send(reply, await judged(reply, () => articles.change(targetOf(request), made)))
  }
}

/** The article of the address, in one of the states that `If-Match` names. */
function targetOf(request: FastifyRequest): { slug: string; hashes: readonly string[] } {
  const field = request.headers['if-match']
  if (field === undefined) throw hashMissing()
  const { etagMatches = [] } =
    readConditions((name) => (name === 'if-match' ? field : undefined)) ?? {}
  const hashes = [etagMatches].flat()
  if (!hashes.includes('*')) return { slug: slugOf(request), hashes }
  const repair = 'name the hash of the article that you read'
  throw refusal('malformed_request', 'if-match', { got: 'any state', repair })
}

/** Whoever comes too late is told the hash that it has now. */
async function judged<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OtherHash)) throw error
    reply.header('etag', `"${error.hash}"`)
    throw otherHash(error)
  }
}

async function verify(request: FastifyRequest, ports: OwnerPorts): Promise<object> {
  const { articles, index, buckets, recut } = ports
  const article = await readArticle(slugOf(request), { articles, viewer: OWNER })
  const { bodies } = recut
  const most = recut.config().limits.collectedBytes
  const sources = await verifySources(article, { index, bodies, buckets, most })
  return { slug: article.slug, hash: article.hash, sources }
}

async function read(
  request: FastifyRequest,
  reply: FastifyReply,
  { articles, index, cursors }: OwnerPorts,
): Promise<FastifyReply> {
  const { slug, form } = articleFile((request.params as { readonly file: string }).file)
  await index.sync()
  const place = { articles, index, cursors, viewer: OWNER }
  reply.headers(INLINE_HEADERS)
  if (form !== 'page') {
    const { type, text, etag } = await tellArticle(slug, form, place)
    return reply.header('etag', etag).header('content-type', type).send(Buffer.from(text))
  }
  const view = await viewArticle(slug, place)
  const main = articlePage(view, { receipt: (id) => `/ledger/exchanges/${id}.json` })
  const page = inlinePage({ title: view.article.title, main })
  return reply.header('etag', etagOf(view.article)).type('text/html; charset=utf-8').send(page)
}

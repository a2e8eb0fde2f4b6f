import { hash as digest } from 'node:crypto'
import type { Clock } from '../../adapters/clock/port.ts'
import type { Bucket, ObjectWithBody, OnlyIf, StoredObject } from '../../adapters/objects/port.ts'
import {
  canonicalJson,
  hashedText,
  mergePatch,
  parseArticle,
  type Article,
} from '../../catalog/index.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal } from '../refusal.ts'
import { asRefusal } from '../store/faults.ts'
import { articleUnknown, notAnArticle, OtherHash, slugTaken } from './faults.ts'

/** Something that is done to an article, for the ledger. */
export interface ArticleEvent {
  readonly event: 'article_created' | 'article_changed' | 'article_deleted'
  /** The slug. */
  readonly subject: string
  /** The hash that it had and the one that it gets. */
  readonly data: { readonly was?: string; readonly hash?: string }
}

export interface ArticlesPlace {
  readonly bucket: Pick<Bucket, 'get' | 'put' | 'list'>
  readonly clock: Clock
  /** Makes the event durable. Rejects with a Refusal where it cannot be recorded. */
  record(event: ArticleEvent): Promise<void>
}

/** What an article is to become: all of it, or a merge patch (RFC 7396). */
export type Change = { readonly whole: object } | { readonly patch: object }

/** Which article, and the hashes of which it has to have one: what has changed since it was read is not written over. */
export interface Target {
  readonly slug: string
  readonly hashes: readonly string[]
}

/**
 * Articles in a bucket, `<slug>.json` each. What changes one is recorded first, and is written under the very state that was
 * judged, so that of many at one time one comes through.
 */
export interface Articles {
  get(slug: string): Promise<Article | undefined>
  /** All of them, in the order of their slugs. */
  list(): Promise<readonly Article[]>
  /** @throws Refusal where it is no article, or its slug is taken */
  create(draft: object): Promise<Article>
  /** @throws OtherHash where it has changed since; Refusal where it is no article, or there is none */
  change(target: Target, change: Change): Promise<Article>
  /** @throws OtherHash where it has changed since; Refusal where there is none */
  remove(target: Target): Promise<void>
}

export function createArticles({ bucket, clock, record }: ArticlesPlace): Articles {
  const find = (slug: string) => refusing(() => read(bucket, slug))
  const write = (slug: string, text: string, onlyIf: OnlyIf) =>
    refusing(() => bucket.put(keyOf(slug), text, { onlyIf, httpMetadata: JSON_OBJECT }))

  /** The article and its etag, where it has one of these hashes. */
  async function judged({ slug, hashes }: Target): Promise<Found & { readonly article: Article }> {
    const found = await find(slug)
    if (found?.article === undefined) throw articleUnknown()
    const { article, etag } = found
    if (!hashes.includes(article.hash)) throw new OtherHash(article.hash)
    return { article, etag }
  }

  /** Writes over what was judged, or says what it has become since. */
  async function overwrite(slug: string, text: string, { etag }: Found): Promise<void> {
    if ((await write(slug, text, { etagMatches: etag })) !== null) return
    const now = (await find(slug))?.article
    throw now === undefined ? articleUnknown() : new OtherHash(now.hash)
  }

  return {
    get: async (slug) => (await find(slug))?.article,
    list: () => refusing(() => readAll(bucket)),
    async create(draft) {
      const now = new Date(clock.now()).toISOString()
      const article = articleOf({ ...DEFAULTS, ...draft, created: now, updated: now })
      const { slug, hash } = article
      const found = await find(slug)
      if (found?.article !== undefined) throw slugTaken()
      await record({ event: 'article_created', subject: slug, data: { hash } })
      const onlyIf = found ? { etagMatches: found.etag } : { etagDoesNotMatch: '*' }
      if ((await write(slug, canonicalJson(article), onlyIf)) === null) throw slugTaken()
      return article
    },
    async change(target, change) {
      const { slug } = target
      const found = await judged(target)
      const { created, hash: was } = found.article
      const given = 'whole' in change ? { ...DEFAULTS, ...change.whole } : patched(found, change)
      const updated = new Date(clock.now()).toISOString()
      const article = articleOf({ ...given, created, updated })
      if (article.slug !== slug) throw otherSlug(article.slug)
      await record({ event: 'article_changed', subject: slug, data: { was, hash: article.hash } })
      await overwrite(slug, canonicalJson(article), found)
      return article
    },
    async remove(target) {
      const { slug } = target
      const found = await judged(target)
      const data = { was: found.article.hash }
      await record({ event: 'article_deleted', subject: slug, data })
      // A delete knows no condition: what is written in its place does.
      await overwrite(slug, '', found)
    },
  }
}

const JSON_OBJECT = { contentType: 'application/json' }

const NO_HASH = '0'.repeat(64)

const DEFAULTS = {
  schema: 'jarticle/1',
  kind: 'note',
  status: 'draft',
  summary: '',
  tags: [],
  above: [],
  below: [],
  adjacent: [],
  nested: [],
  facts: {},
  blocks: [],
  sources: [],
}

/** What is there under a key; without an article where one was deleted. */
interface Found {
  readonly article?: Article
  readonly etag: string
}

/** With the hash that it has; whatever hash was given. */
function articleOf(given: object): Article {
  const parsed = parseArticle({ ...given, hash: NO_HASH })
  if (!parsed.ok) throw refusalOfProblems(parsed.problems)
  const { article } = parsed
  return { ...article, hash: hashOf(article) }
}

function hashOf(article: Article): string {
  return digest('sha256', hashedText(article))
}

function patched({ article }: Found, { patch }: { readonly patch: object }): object {
  return mergePatch(article, patch) as object
}

function otherSlug(got: string) {
  return refusal('malformed_request', 'slug', {
    got: `\`${got}\``,
    repair: 'leave it as the address has it: make another article, then delete this one',
  })
}

function keyOf(slug: string): string {
  return `${slug}.json`
}

async function read(bucket: ArticlesPlace['bucket'], slug: string): Promise<Found | undefined> {
  const object = await bucket.get(keyOf(slug))
  return object === null || !hasBody(object) ? undefined : foundIn(object, await bytesOf(object))
}

function hasBody(object: StoredObject | ObjectWithBody): object is ObjectWithBody {
  return 'body' in object
}

async function bytesOf({ body }: ObjectWithBody): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function foundIn({ key, etag }: StoredObject, bytes: Uint8Array): Found {
  if (bytes.length === 0) return { etag }
  const parsed = parseArticle(jsonOf(Buffer.from(bytes).toString('utf8')))
  const fits =
    parsed.ok &&
    keyOf(parsed.article.slug) === key &&
    parsed.article.hash === hashOf(parsed.article)
  if (!fits) throw notAnArticle(key.slice(0, -5))
  return { article: parsed.article, etag }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

async function readAll(bucket: ArticlesPlace['bucket']): Promise<readonly Article[]> {
  const articles: Article[] = []
  for (let cursor: string | undefined, more = true; more;) {
    const page = await bucket.list({ include: ['body'], ...(cursor !== undefined && { cursor }) })
    for (const { bytes, ...object } of page.objects) {
      const slug = object.key.slice(0, -5)
      const found = bytes === undefined ? await read(bucket, slug) : foundIn(object, bytes)
      if (found?.article !== undefined) articles.push(found.article)
    }
    cursor = page.cursor
    more = page.truncated
  }
  return articles.sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** What a bucket throws, as a refusal. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asRefusal(error)
  }
}

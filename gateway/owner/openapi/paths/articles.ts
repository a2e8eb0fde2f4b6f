import type { ErrorCode } from '../../../errors.ts'
import { operation, type Operation } from '../operation.ts'

const OF_STORE = ['store_unavailable', 'ledger_unavailable'] as const
const OF_CHANGE: readonly ErrorCode[] = [
  'not_found',
  'precondition_required',
  'precondition_failed',
  'read_only',
  'not_supported',
  ...OF_STORE,
]

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The hash of the article that was read, quoted; 412 with the present one otherwise',
  schema: { type: 'string' },
}

/** A change is of a state that it names. */
function ofState(made: Operation): Operation {
  return { ...made, parameters: [IF_MATCH] }
}

export const ARTICLE_PATHS = {
  '/api/jarticles': {
    get: operation({
      summary:
        'The articles without their blocks and sources: 100 of them, or what is wanted of them',
      answer: 'Articles',
      query: { want: 'Paths such as `slug,title`, or where, select, order, page and want as JSON' },
      refusals: ['unknown_field', 'no_rows', 'not_supported', 'store_unavailable'],
    }),
    post: operation({
      summary: 'Make an article, whole or of the receipts of a task',
      body: 'Article',
      answer: 'Article',
      status: 201,
      refusals: ['id_taken', 'not_found', 'read_only', 'not_supported', ...OF_STORE],
    }),
  },
  '/api/jarticles/{slug}': {
    get: operation({
      summary: 'An article; its etag is its hash',
      answer: 'Article',
      refusals: ['not_found', 'store_unavailable'],
    }),
    put: ofState(
      operation({
        summary: 'Replace an article',
        body: 'ArticleWhole',
        answer: 'Article',
        refusals: OF_CHANGE,
      }),
    ),
    patch: ofState(
      operation({
        summary: 'Change some of an article (RFC 7396)',
        body: 'ArticlePatch',
        answer: 'Article',
        refusals: OF_CHANGE,
      }),
    ),
    delete: ofState(
      operation({
        summary: 'Delete an article',
        answer: 'nothing',
        status: 204,
        refusals: OF_CHANGE,
      }),
    ),
  },
  '/api/jarticles/{slug}/verify': {
    post: operation({
      summary: 'Search each source of an article where it is said to lie, and hash it',
      body: 'ArticleVerify',
      answer: 'VerifiedArticle',
      refusals: ['not_found', 'too_large', 'store_unavailable'],
    }),
  },
  '/a/{file}': {
    get: operation({
      summary: 'An article as a page; behind `.json` with its hashes, behind `.md` as Markdown',
      answer: 'bytes',
      refusals: ['not_found', 'store_unavailable'],
    }),
  },
} as const

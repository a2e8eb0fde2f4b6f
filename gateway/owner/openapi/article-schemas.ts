import { count, flag, listOf, orNull, shape, text, time } from './shapes.ts'

const sha256 = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const

const head = {
  schema: { const: 'jarticle/1' },
  slug: text,
  title: text,
  kind: text,
  status: { enum: ['draft', 'published', 'archived'] },
  hash: { ...sha256, description: 'Of its canonical JSON without `hash` and `updated`.' },
  created: time,
  updated: time,
  summary: text,
  tags: listOf(text),
  above: listOf(text),
  below: listOf(text),
  adjacent: listOf(text),
  nested: listOf(text),
  facts: { type: 'object' },
} as const

const object = { type: 'object' } as const

/** Shapes of what the doors of articles answer with; catalog/article.schema.json says what an article may hold. */
export const ARTICLE_SCHEMAS = {
  Article: shape({ ...head, blocks: listOf(object), sources: listOf(object) }),
  Articles: {
    anyOf: [listOf(object), object],
    description: 'Articles without their blocks and sources, or what was wanted of them.',
  },
  VerifiedArticle: shape({
    slug: text,
    hash: sha256,
    sources: listOf(
      shape({
        source: { ...count, description: 'Its number in the article.' },
        verdict: { enum: ['found', 'changed', 'missing'] },
        sha256: { ...orNull(sha256), description: 'Of the bytes that are there.' },
        quoted: { ...orNull(flag), description: 'Whether the quote is in them.' },
      }),
    ),
  }),
} as const

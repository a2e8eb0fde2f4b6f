import type { Article } from '../../../catalog/index.ts'

/** An article that holds nothing but what it must. */
export const EMPTY: Article = {
  schema: 'jarticle/1',
  slug: 'a',
  title: 'A',
  kind: 'note',
  status: 'draft',
  hash: '0'.repeat(64),
  created: '2026-01-01T00:00:00.000Z',
  updated: '2026-01-01T00:00:00.000Z',
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

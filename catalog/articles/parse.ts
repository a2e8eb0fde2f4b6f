import { createReport, oneOf, type FieldProblem } from '../check.ts'
import { freezeDeep } from '../freeze.ts'
import { utf8 } from '../text.ts'
import { block } from './blocks.ts'
import { canonicalJson } from './canonical.ts'
import { facts } from './facts.ts'
import { line, listOf, setOf, sha256, shape, slug, time, word } from './form.ts'
import { MOST_SOURCES, source } from './sources.ts'
import { checkTogether } from './together.ts'
import type { Article } from './types.ts'

/** Most bytes of an article in its canonical spelling. */
const MOST_BYTES = 256 * 1024
const MOST_BLOCKS = 512

const slugs = setOf(slug, 64)

const form = shape({
  schema: oneOf(['jarticle/1']),
  slug,
  title: line({ least: 1, most: 200 }),
  kind: word,
  status: oneOf(['draft', 'published', 'archived']),
  hash: sha256,
  created: time,
  updated: time,
  summary: line({ most: 1000 }),
  tags: setOf(word, 32),
  above: slugs,
  below: slugs,
  adjacent: slugs,
  nested: slugs,
  facts,
  blocks: listOf(block, { most: MOST_BLOCKS }),
  sources: listOf(source, { most: MOST_SOURCES }),
})

/** An article that was read, or all that is wrong with it. */
export type ParsedArticle =
  | { readonly ok: true; readonly article: Article }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Reads an article from a value that came from outside. Whether its hash is right is not asked. */
export function parseArticle(got: unknown): ParsedArticle {
  const report = createReport()
  form(got, '', report)
  if (report.problems.length === 0) {
    checkTogether(got as Article, report)
    const bytes = utf8(canonicalJson(got)).length
    if (bytes > MOST_BYTES)
      report.include({
        code: 'malformed_request',
        path: 'blocks',
        got: `an article of ${bytes} bytes`,
        repair: `write ${MOST_BYTES} at most: put parts of it into articles that it nests`,
      })
  }
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  return { ok: true, article: freezeDeep(got as Article) }
}

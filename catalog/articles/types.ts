import type { ViewName } from '../views/types.ts'
import type { Want } from '../want/types.ts'

export type ArticleStatus = 'draft' | 'published' | 'archived'

/** What is known of something by name: a value, or more names, three deep at most. */
export type Fact = string | number | boolean | null | Facts

export interface Facts {
  readonly [name: string]: Fact
}

/** An item of a list: a text, or a text with items below it. */
export type ListItem = string | { readonly text: string; readonly items: readonly ListItem[] }

/** A question to a view of the ledger, without a page of its own. */
export type ArticleQuery = { readonly view: ViewName } & Pick<
  Want,
  'where' | 'select' | 'order' | 'want'
> & { readonly page?: { readonly limit: number } }

/** What a plot shows: one figure for each group. */
export interface ArticlePlot {
  readonly view: ViewName
  readonly where?: Want['where']
  /** A field, or a time and its unit: `opened:day`. */
  readonly by: string
  /** `count`, or a figure of a field: `p95.ms`. */
  readonly figure: string
}

/** Texts of blocks may hold inline markup; `title`, `caption`, `columns` and code are plain. */
export type Block =
  | { readonly type: 'heading'; readonly level: 2 | 3; readonly text: string }
  /** Paragraphs, with an empty line between. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'list'; readonly ordered?: boolean; readonly items: readonly ListItem[] }
  | {
      readonly type: 'table'
      readonly caption: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly type: 'code'; readonly language?: string; readonly text: string }
  /** The quote of a source, so that what is shown is what is verified. */
  | { readonly type: 'quote'; readonly source: number }
  /** Some of the article's facts, to be seen at a glance. */
  | { readonly type: 'facts'; readonly names: readonly string[] }
  | LedgerBlock
  | { readonly type: 'card'; readonly slug: string }

/** What the ledger says whenever the article is read; it has exactly one of `task`, `query` and `plot`. */
export interface LedgerBlock {
  readonly type: 'ledger'
  readonly title?: string
  /** Receipts of a task, sub-tasks included. */
  readonly task?: string
  readonly query?: ArticleQuery
  readonly plot?: ArticlePlot
}

/** Where something was read: the body of a receipt, or an object of a bucket. */
export interface Source {
  readonly title?: string
  /** What is quoted of it, word for word. */
  readonly quote?: string
  /** Lower-case hex SHA-256 of all its bytes. */
  readonly sha256: string
  /** Id of a receipt; with `part`. */
  readonly receipt?: string
  readonly part?: 'request' | 'response' | 'delivered'
  /** `<bucket>/<key>`, in place of a receipt. */
  readonly object?: string
}

/** The ways in which articles name each other. */
export const RELATIONS = ['above', 'below', 'adjacent', 'nested'] as const
export type Relation = (typeof RELATIONS)[number]

/** An article, `jarticle/1`. */
export interface Article extends Readonly<Record<Relation, readonly string[]>> {
  readonly schema: 'jarticle/1'
  readonly slug: string
  readonly title: string
  readonly kind: string
  readonly status: ArticleStatus
  /** Lower-case hex SHA-256 of `hashedText`. */
  readonly hash: string
  /** RFC 3339, in UTC with milliseconds. */
  readonly created: string
  readonly updated: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly facts: Facts
  readonly blocks: readonly Block[]
  readonly sources: readonly Source[]
}

import type { Article, Where } from '../../catalog/index.ts'
import type { Standing } from '../standing.ts'

/** Who reads an article, and what of it is for them. */
export interface Viewer {
  /** Whether the article is there for them at all. */
  reads(article: Article): boolean
  /** What receipts have to be for them to see any; undefined: they see all. */
  readonly sees: Where | undefined
}

export const OWNER: Viewer = { reads: () => true, sees: undefined }

/** A holder reads what is published, and sees receipts of the token’s chain or of its task, sub-tasks included. */
export function holderOf({ token, judged }: Standing): Viewer {
  const { task } = judged
  const own: readonly Where[] = [{ link: { in: token.links } }]
  return {
    reads: ({ status }) => status === 'published',
    sees: { or: task === undefined ? own : [...own, coveredBy(task)] },
  }
}

/** Receipts of a task and its sub-tasks. */
export function coveredBy(task: string): Where {
  return { or: [{ task }, { task: { prefix: `${task}/` } }] }
}

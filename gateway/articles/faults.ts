import { refusal, type Refusal } from '../refusal.ts'

export function articleUnknown(): Refusal {
  return refusal('not_found', 'slug', {
    got: 'a slug without an article',
    repair: 'see `GET /api/jarticles` for those there are, or make it with `POST /api/jarticles`',
  })
}

export function slugTaken(): Refusal {
  return refusal('id_taken', 'slug', {
    got: 'a slug that is in use',
    repair: 'choose another, or replace the article with `PUT /api/jarticles/<slug>`',
  })
}

/** Another state than the one that was read: whoever changes it has to see first what it is. */
export class OtherHash extends Error {
  /** What it has now. */
  readonly hash: string

  constructor(hash: string) {
    super('the article has another hash')
    this.hash = hash
  }
}

export function otherHash({ hash }: OtherHash): Refusal {
  return refusal('precondition_failed', 'if-match', {
    got: `an article whose hash is \`${hash}\` now`,
    repair: 'read the article, and send that hash for what you make of it',
  })
}

export function hashMissing(): Refusal {
  return refusal('precondition_required', 'if-match', {
    got: 'a change of an unnamed state',
    repair: 'send `If-Match: "<hash>"` with the hash of the article that you read',
  })
}

/** The bucket's other users may have put something of their own there. */
export function notAnArticle(slug: string): Refusal {
  return refusal('store_unavailable', 'slug', {
    got: `an object \`${slug}.json\` that is no article, or not the one that its hash names`,
    repair:
      'look at it with `GET /api/store/articles/<slug>.json`, and mend it where the bucket lies',
  })
}

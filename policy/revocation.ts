import type { Reason } from './reasons.ts'

/** What has been revoked. Implemented outside of this folder; asked at every call. */
export interface Revocations {
  /**
   * The grant id or the link that is revoked, if any of a token's is: a revoked link ends every
   * token narrowed from it. Throws where revocations cannot be read.
   */
  revoked(id: string, links: readonly string[]): string | undefined
}

/** What a call is refused for whose grant or link is revoked. */
export function revokedBy(name: string): Reason {
  return {
    code: 'revoked',
    axis: 'grant',
    caveat: '',
    got: name,
    repair: 'ask for a new token',
  }
}

/** What has been revoked. Implemented outside of this folder; asked at every call. */
export interface Revocations {
  /**
   * The grant id or the link that is revoked, if any of a token's is: a revoked link ends every
   * token narrowed from it. Throws where revocations cannot be read.
   */
  revoked(id: string, links: readonly string[]): string | undefined
}

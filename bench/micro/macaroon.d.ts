/** The part of npm macaroon 3 that the bench uses; the package brings no types. */
declare module 'macaroon' {
  interface Macaroon {
    addFirstPartyCaveat(caveat: string): void
    exportJSON(): object
    /** Throws where the signature or a caveat does not hold; `check` gives null where it does. */
    verify(rootKey: Uint8Array, check: (caveat: string) => string | null): void
  }
  const macaroon: {
    newMacaroon(options: {
      readonly identifier: string
      readonly rootKey: Uint8Array
      readonly version: 2
    }): Macaroon
    importMacaroon(json: unknown): Macaroon
  }
  export default macaroon
}

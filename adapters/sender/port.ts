/** A link on its way to its holder. The link bears a token, and is a credential. */
export interface Parcel {
  readonly link: string
  /** Whoever gets it, as the tool that sends it understands it. */
  readonly to: string
}

/** Hands a link to a program that sends it. */
export interface Sender {
  /** Resolves when the program ended well. An error's text holds neither link nor output. */
  send(parcel: Parcel, command: readonly string[]): Promise<void>
}

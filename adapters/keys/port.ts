/**
 * A secret as the program may hold it: it prints, serialises and logs only as its redacted copy,
 * and gives its text away only through `reveal`, which is named so that every use can be found.
 */
export interface Secret {
  /** The name under which receipts and logs mention it; never its value. */
  readonly name: string
  /** The secret text itself. Call it only where the bytes leave for the upstream, or to compare. */
  reveal(): string
  /** What may be shown: the name and the length, never a part of the value. */
  redacted(): string
  toJSON(): string
  toString(): string
}

/** Where a secret is to be read from: exactly one of the three members is set. */
export type SecretSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: readonly string[] }

/** Reads secrets from the environment, files and commands; never from the configuration text. */
export interface SecretReader {
  /** Throws an error whose text names the source, never the value. */
  read(name: string, source: SecretSource): Promise<Secret>
}

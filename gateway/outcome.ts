/** How an exchange ended (formats, section 4). */
export type Outcome = 'allowed' | 'refused' | 'failed' | 'gone'

/** What is known of one body that passed by. */
export interface BodyNote {
  readonly bytes: number
  readonly sha256: string
  readonly mediaType: string | undefined
  readonly truncated: boolean
  /** The content coding of the bytes, where they were not decoded on their way. */
  readonly coding?: string
  /** Where the bytes can be read again: the SHA-256 under which they are kept. */
  readonly kept?: string
}

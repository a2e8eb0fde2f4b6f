/** What made a projection stop. */
export type FaultKind =
  | 'unexpected_byte'
  | 'unexpected_end'
  | 'bad_utf8'
  | 'too_deep'
  | 'duplicate_member'
  | 'no_rows'
  | 'too_large'

/** Thrown by a projector; it takes no more bytes then. */
export class ProjectionFault extends Error {
  override readonly name = 'ProjectionFault'
  readonly kind: FaultKind
  /** Offset in the document, in bytes, of what is wrong. */
  readonly offset: number

  constructor(kind: FaultKind, offset: number) {
    super(`${TEXTS[kind]} at byte ${offset}`)
    this.kind = kind
    this.offset = offset
  }

  /** The code under which the gateway refuses or fails. */
  get code(): 'upstream_invalid' | 'no_rows' | 'too_large' {
    return this.kind === 'no_rows' || this.kind === 'too_large' ? this.kind : 'upstream_invalid'
  }
}

const TEXTS: Readonly<Record<FaultKind, string>> = {
  unexpected_byte: 'the answer is not JSON: unexpected byte',
  unexpected_end: 'the answer is not JSON: it ends early',
  bad_utf8: 'the answer is not UTF-8',
  too_deep: 'the answer is nested too deep',
  duplicate_member: 'a member of the answer occurs twice where its last value can no longer count',
  no_rows: 'the answer has no rows to filter, order or page',
  too_large: 'the result is too large to be held',
}

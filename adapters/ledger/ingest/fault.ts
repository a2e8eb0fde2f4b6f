import type { Head, IngestFault } from '../port.ts'

/** Where lines cannot be taken in. */
export class IngestFaultError extends Error implements IngestFault {
  override readonly name = 'IngestFault'
  readonly code: IngestFault['code']
  readonly record: number | undefined
  readonly head: Head | undefined

  constructor(
    code: IngestFault['code'],
    what: string,
    at: { readonly record?: number | undefined; readonly head?: Head | undefined } = {},
  ) {
    super(what)
    this.code = code
    this.record = at.record
    this.head = at.head
  }
}

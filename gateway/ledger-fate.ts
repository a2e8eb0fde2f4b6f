/**
 * What becomes of a record that the ledger gave up while it was being written: true once it is in the log after all,
 * false once it is not. Undefined for every other error.
 */
export function fateOf(error: unknown): Promise<boolean> | undefined {
  return error instanceof Error && 'fate' in error && error.fate instanceof Promise
    ? (error.fate as Promise<boolean>)
    : undefined
}

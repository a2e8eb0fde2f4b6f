/** The counters cannot be asked: nothing may be let through that counts. */
class UsesUnavailable extends Error {
  readonly code = 'uses_unavailable'
}

/** Says of an error that it was the counters'. */
export function unavailable(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause)
  throw new UsesUnavailable(`uses: ${why}`, { cause })
}

/** Whether the client of one exchange is still there, and the signal that tells the exchange that it is not. */
export interface Presence {
  readonly signal: AbortSignal
  /** Ends the exchange as if the client had gone. */
  cancel(): void
  /** The connection ended before its answer did: the client went, unless the door has said that it cuts. */
  left(): void
  /** The door cuts the connection itself, since it could not write the answer: no going of the client. */
  cut(): void
}

export function createPresence(): Presence {
  const gone = new AbortController()
  let isCut = false
  return {
    signal: gone.signal,
    cancel: () => gone.abort(),
    left() {
      if (!isCut) gone.abort()
    },
    cut() {
      isCut = true
    },
  }
}

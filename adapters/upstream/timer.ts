/** A timer that can be started anew at every sign of life. */
export interface Timer {
  /** Starts, or starts over. */
  start(): void
  stop(): void
}

export function createTimer(ms: number, onLate: () => void): Timer {
  let running: NodeJS.Timeout | undefined
  return {
    start() {
      // A refresh costs a fraction of a new timer, and bodies start over at every chunk.
      if (running === undefined) running = setTimeout(onLate, ms)
      else running.refresh()
    },
    stop() {
      clearTimeout(running)
      running = undefined
    },
  }
}

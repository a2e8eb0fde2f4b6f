/** Losses are told at most so often. */
const TELL_MS = 1000

/** Counts the records that were accepted and could not be kept, and says when that is to be told. */
export class Losses {
  #lost = 0
  #told = 0
  #next = 0

  add(): void {
    this.#lost += 1
  }

  /** Since the start. */
  count(): number {
    return this.#lost
  }

  /** How many were lost since this was last asked; 0 where it is too soon to tell again. */
  untold(): number {
    const fresh = this.#lost - this.#told
    const now = performance.now()
    if (fresh === 0 || now < this.#next) return 0
    this.#told = this.#lost
    this.#next = now + TELL_MS
    return fresh
  }
}

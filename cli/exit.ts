/** The exit codes of every verb; `run` adds its command's own. 69 and 70 are those of sysexits.h. */
export const EXIT = {
  ok: 0,
  /** The answer is no: refused, invalid, not verified. */
  no: 1,
  usage: 2,
  /** No gateway answers, or there is no state to work on. */
  unreachable: 69,
  internal: 70,
} as const

/** A verb cannot go on. `message` says what and why, `next` what to do about it. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly exit: number
  readonly next: string | undefined
  constructor(exit: number, message: string, next?: string) {
    super(message)
    this.exit = exit
    this.next = next
  }
}

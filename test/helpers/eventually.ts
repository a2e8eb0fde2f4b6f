import { setTimeout as delay } from 'node:timers/promises'

/** Waits for something to become true; false where it does not within `ms`. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<boolean> {
  const until = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > until) return false
    await delay(20)
  }
  return true
}

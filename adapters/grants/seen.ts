import type { ChainPlace } from './port.ts'

/** Children of one grant that are kept: a holder makes them without asking, so somewhere it must end. */
export const MOST_CHILDREN = 1000
/** Places that wait to be stored, and names of those that were; past it, new ones are let go until the next store. */
const MOST_WAITING = 1000
const MOST_KNOWN = 10_000

/** A place with the time at which it was first seen, RFC 3339. */
export interface Sighting extends ChainPlace {
  readonly link: string
  readonly seen: string
}

/** Gathers the tokens that calls come with, so that the way of a call never waits for their storing. */
export interface Sightings {
  saw(place: ChainPlace, now: number): void
  /** What came since the last time; it is not given again. */
  take(): readonly Sighting[]
}

export function createSightings(): Sightings {
  const known = new Set<string>()
  let waiting: Sighting[] = []
  return {
    saw(place, now) {
      const link = place.links.at(-1)
      if (link === undefined || known.has(link) || waiting.length >= MOST_WAITING) return
      // Only forgotten names are asked for again: the store leaves out what it has.
      if (known.size >= MOST_KNOWN) known.clear()
      known.add(link)
      const { id, links, lines } = place
      waiting.push({ id, links, lines, link, seen: new Date(now).toISOString() })
    },
    take() {
      const taken = waiting
      waiting = []
      return taken
    },
  }
}

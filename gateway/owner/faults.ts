import { checkId, TokenFault } from '../../policy/index.ts'
import { Refusal, refusal } from '../refusal.ts'

/**
 * Does something with tokens or lines that were sent. What is wrong with them is wrong with the request: a 401 would
 * speak of the owner key.
 */
export function reading<T>(what: 'id' | 'token' | 'lines', read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    const { axis = what, line, reason } = error
    throw new Refusal('malformed_request', [
      {
        axis,
        ...(line === undefined ? {} : { caveat: line }),
        got: reason,
        repair: 'see `GET /api/grants/axes` for what a line may say',
      },
    ])
  }
}

/**
 * An id that no grant can have is not asked for: a store may not be able to read it.
 * @throws Refusal
 */
export function readId(id: string): string {
  reading('id', () => checkId(id))
  return id
}

export function grantUnknown(): Refusal {
  return refusal('not_found', 'grant', {
    got: 'an id that was not minted here',
    repair: 'see `GET /api/grants` for the ids',
  })
}

export function personUnknown(): Refusal {
  return refusal('not_found', 'person', {
    got: 'an id that nobody has',
    repair: 'see `GET /api/persons`, or make the person with `POST /api/persons`',
  })
}

export function idTaken(): Refusal {
  return refusal('id_taken', 'id', {
    got: 'an id that is in use',
    repair: 'choose another, or leave it out to have one made',
  })
}

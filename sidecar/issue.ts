import { newGrantId } from '../gateway/ids.ts'
import type { Offline } from '../gateway/offline.ts'
import { mintToken, verifyToken } from '../policy/index.ts'

/** A grant that was just made. */
export interface Issued {
  readonly id: string
  /** A credential: it goes to the holder and is kept nowhere. */
  readonly token: string
  /** Why the grant is not in the state's store; it holds all the same. */
  readonly unrecorded?: string
}

export interface IssueOptions {
  /** Made where undefined. */
  readonly id: string | undefined
  readonly lines: readonly string[]
  /** Who asks, for the record. */
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Mints a token with the state's first build key and records the grant, so that it can be listed and
 * becomes an event of the ledger. Throws TokenFault for a line that does not parse.
 */
export async function issueGrant(place: Offline, options: IssueOptions): Promise<Issued> {
  const [key, ...older] = await place.buildKeys()
  const id = options.id ?? newGrantId()
  const token = mintToken(key, id, options.lines)
  const { task } = verifyToken(token, [key, ...older])
  try {
    await place.withGrants(async (grants) => {
      await grants.recordMinted({
        id,
        lines: options.lines,
        minted: new Date(options.now).toISOString(),
        by: options.by,
        ...(task === undefined ? {} : { task }),
      })
    })
    return { id, token }
  } catch (error) {
    return { id, token, unrecorded: error instanceof Error ? error.message : 'the store failed' }
  }
}

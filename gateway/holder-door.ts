import type { Head, LedgerIndex } from '../adapters/ledger/port.ts'
import type { Persons } from '../adapters/persons/port.ts'
import type { Cursors, Tool } from '../catalog/index.ts'
import type { Way } from '../policy/index.ts'
import type { Articles } from './articles/store.ts'
import type { CallPorts } from './batch/make.ts'
import type { Config } from './config/types.ts'
import type { Directory } from './directory.ts'
import type { Exchange, Knock, Reply } from './knock.ts'
import type { Watch } from './open.ts'
import type { Standing } from './standing.ts'

/** What a holder's door has at hand for one request. */
export interface DoorAround extends CallPorts {
  /** The configuration in force when the request came. */
  readonly config: Config
  /** The way of a call: every call that the door makes goes through it. */
  readonly exchange: Exchange
  readonly directory: Directory
  readonly cursors: Cursors
  readonly articles: Pick<Articles, 'get' | 'list'>
  readonly persons: Pick<Persons, 'get'>
  /** The ledger, as far as its views answer. */
  readonly index: Pick<LedgerIndex, 'view' | 'lag' | 'sync'>
  /** The signed head of the ledger, for answers that are no call's. */
  head(): Head
  /**
   * The token of the request, if it stands now. To read is no use of it.
   * @throws Refusal
   */
  standing(knock: Knock): Promise<Standing>
  /** Watches over a connection that waits for calls: it has to end when its token does. */
  watch(standing: Standing): Watch
  /** The rows that the token could call through a door of this way. */
  callable(standing: Standing, way: Way): readonly Tool[]
}

/**
 * One of the doors behind `/g/`. Its token's chain was proved before; whether the token stands is asked by each call, or by
 * `around.standing`.
 * @throws Refusal for what it does not take, which is answered and recorded
 */
export type HolderDoor = (knock: Knock, around: DoorAround) => Promise<Reply>

import type { Clock } from '../../adapters/clock/port.ts'
import type { Exports } from '../../adapters/exports/port.ts'
import type { Grants } from '../../adapters/grants/port.ts'
import type { Secret } from '../../adapters/keys/port.ts'
import type {
  Ledger,
  LedgerAnchor,
  LedgerFeed,
  LedgerIngest,
  LedgerIndex,
  LedgerProofs,
} from '../../adapters/ledger/port.ts'
import type { Erasure } from '../../adapters/objects/port.ts'
import type { Persons } from '../../adapters/persons/port.ts'
import type { Parcel } from '../../adapters/sender/port.ts'
import type { Cursors, KnownNames } from '../../catalog/index.ts'
import type { Axis, UseCounters } from '../../policy/index.ts'
import type { ArticleEvent, Articles } from '../articles/store.ts'
import type { ListenAddress, Setting } from '../config/index.ts'
import type { Directory } from '../directory.ts'
import type { Issuer } from '../issuer.ts'
import type { McpServerStatus } from '../mcp-servers/servers.ts'
import type { PersonKeys } from '../persons/keys.ts'
import type { Sessions } from '../persons/session.ts'
import type { Log } from '../ports.ts'
import type { RecutPorts } from '../recut.ts'
import type { Buckets } from '../store/serve.ts'
import type { WayPlace } from '../ways.ts'
import type { Explanation } from '../why/explain.ts'
import type { Question } from '../why/question.ts'

/** Something that an owner did, for the ledger. */
export interface OwnerEvent {
  readonly event:
    | 'grant_narrowed'
    | 'grant_sent'
    | 'person_created'
    | 'signed_in'
    | 'key_set'
    | 'object_put'
    | 'object_deleted'
    | ArticleEvent['event']
  /** Id of the grant or person, bucket and key, or slug. */
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The configured way of links to their holders. */
export interface Sending {
  /** Address of the holder doors, without a trailing slash. */
  readonly base: string
  /** Rejects with a text that holds nothing of the link. */
  send(parcel: Parcel): Promise<void>
}

/** What the owner doors need from outside. */
export interface OwnerPorts {
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly ownerKey: Secret
  /** Lower-case names of the headers that may hold the owner key. */
  keyHeaders(): readonly string[]
  /** Name of the header with the cursor of the next page. */
  cursorHeader(): string
  /** Name of the header with the head of the ledger. */
  headHeader(): string
  /** Name of the header with the code of a refusal. */
  refusedHeader(): string
  /** Names of our own fields on the answer of a call. */
  answerNames(): { readonly receipt: string; readonly refused: string }
  /** The configured address of the listener, whose host a browser may name. */
  readonly listen: ListenAddress
  /** What is not ready yet, by name: configuration, keys, ca, ledger, cedar; empty when all stand. */
  notReady(): readonly string[]
  /** The Prometheus registry. */
  readonly registry: { readonly contentType: string; metrics(): Promise<string> }
  readonly axes: readonly Pick<Axis, 'name' | 'ops' | 'value' | 'says' | 'example'>[]
  readonly grants: Pick<
    Grants,
    'list' | 'get' | 'recordMinted' | 'revoke' | 'revoked' | 'leash' | 'leashOf'
  >
  readonly uses: Pick<UseCounters, 'read'>
  readonly issuer: Issuer
  readonly persons: Pick<Persons, 'list' | 'get' | 'create'>
  readonly sessions: Pick<Sessions, 'issue'>
  readonly personKeys: Pick<PersonKeys, 'usable' | 'names' | 'store'>
  /** Undefined where links cannot be sent. */
  sending(): Sending | undefined
  /** Makes the event durable. Rejects with a Refusal where it cannot be recorded. */
  record(event: OwnerEvent): Promise<void>
  /** The rows of the catalog in force. */
  mcpServers(): readonly McpServerStatus[]
  readonly directory: Directory
  /** What the texts of ways are written by. */
  wayConfig(): WayPlace['config']
  readonly cursors: Cursors
  /** Tools and hosts by which questions in plain words can call them. */
  knownNames(): KnownNames
  /** What recorded answers are cut again with. */
  readonly recut: RecutPorts
  /** The decision on a call, without the call. */
  why(question: Question): Promise<Explanation>
  readonly ledger: Pick<Ledger, 'head' | 'ready' | 'stats' | 'mode'>
  readonly index: Pick<LedgerIndex, 'view' | 'last' | 'list' | 'get' | 'counts' | 'sync' | 'lag'>
  readonly feed: LedgerFeed
  readonly exports: Pick<Exports, 'status'>
  readonly ingest: LedgerIngest
  /** What one request to take in lines may bring, in bytes. */
  ingestBytes(): number
  readonly proofs: LedgerProofs
  /** Undefined where checkpoints are carried nowhere. */
  readonly anchor: Pick<LedgerAnchor, 'stats'> | undefined
  /** Erases what no exchange had since a time, each body as an event. Rejects where that cannot be recorded. */
  eraseBodies(before: number): Promise<Erasure>
  readonly articles: Articles
  /** Buckets of objects, by name. */
  readonly buckets: Buckets
  /** The program's version. */
  readonly version: string
  /** Version of the configuration in force. */
  configVersion(): string
  /** What the configuration in force says, setting by setting; no secret is in it. */
  configuration(): readonly Setting[]
  /** Where the holder doors listen, `host:port` or `unix:<path>`; undefined until they do. */
  holderAddress(): string | undefined
}

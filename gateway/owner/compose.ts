import type { Grants } from '../../adapters/grants/port.ts'
import type { Secret } from '../../adapters/keys/port.ts'
import type {
  LedgerAnchor,
  LedgerFeed,
  LedgerIndex,
  LedgerProofs,
} from '../../adapters/ledger/port.ts'
import type { Bucket, Erasure } from '../../adapters/objects/port.ts'
import type { Persons } from '../../adapters/persons/port.ts'
import type { Sender } from '../../adapters/sender/port.ts'
import { AXES } from '../../policy/index.ts'
import { createArticles } from '../articles/store.ts'
import { settingsOf, type ConfigHolder } from '../config/index.ts'
import { createDirectory } from '../directory.ts'
import type { Issuer } from '../issuer.ts'
import type { McpServers } from '../mcp-servers/servers.ts'
import { openPersonKeys } from '../persons/keys.ts'
import type { Sessions } from '../persons/session.ts'
import type { Ports, Snapshot } from '../ports.ts'
import { withStore } from '../store/rows.ts'
import { VERSION } from '../version.ts'
import { knownNames } from '../views/ask.ts'
import { patientIndex } from '../views/settle.ts'
import { explain } from '../why/explain.ts'
import { maskTokens } from '../wire/tokens.ts'
import type { OwnerPorts } from './ports.ts'
import { createRecord } from './record.ts'

/** What the owner doors have besides what a call needs. */
export interface OwnerParts {
  readonly ports: Ports
  readonly holder: ConfigHolder<Snapshot>
  readonly ownerKey: Secret
  readonly issuer: Issuer
  readonly grants: Grants
  readonly persons: Persons
  readonly sessions: Sessions
  readonly sender: Sender
  readonly servers: Pick<McpServers, 'withRows' | 'status'>
  readonly index: LedgerIndex
  readonly feed: LedgerFeed
  readonly exports: OwnerPorts['exports']
  readonly ingest: OwnerPorts['ingest']
  readonly proofs: LedgerProofs
  /** Undefined where checkpoints are carried nowhere. */
  readonly anchor: Pick<LedgerAnchor, 'stats'> | undefined
  /** Erases what no exchange had since a time, each body as an event. Rejects where that cannot be recorded. */
  eraseBodies(before: number): Promise<Erasure>
  readonly notReady: () => readonly string[]
  readonly registry: OwnerPorts['registry']
  readonly buckets: OwnerPorts['buckets']
  /** Where the articles lie. */
  readonly articlesBucket: Bucket
  readonly cursors: OwnerPorts['cursors']
  readonly holderAddress: OwnerPorts['holderAddress']
  /** Makes a secret of a text. */
  readonly wrap: (name: string, value: string) => Secret
}

/**
 * Puts together what the owner doors need, and the keys of persons into the calls.
 * @throws StartProblem where a stored key cannot be opened
 */
export async function createOwnerPorts(parts: OwnerParts): Promise<OwnerPorts> {
  const { ports, holder, persons, sender, servers, wrap, articlesBucket: bucket, ...own } = parts
  const { clock, log, uses, ledger } = ports
  const config = () => holder.current().config
  const record = createRecord(ledger)
  const directory = createDirectory(
    withStore(servers.withRows(() => config().catalog)),
    () => config().aliases,
  )
  return {
    ...own,
    clock,
    log,
    uses,
    ledger,
    persons,
    personKeys: await openPersonKeys({ persons, holder, clock, wrap }),
    listen: config().listen.owner,
    keyHeaders: () => config().owner.keyHeaders,
    cursorHeader: () => config().headers.cursor,
    headHeader: () => config().headers.head,
    refusedHeader: () => config().headers.refused,
    answerNames: () => config().headers,
    index: config().ledger.index.driver === 'postgres' ? patientIndex(own.index) : own.index,
    sending() {
      const { send } = config().owner
      return send && { base: send.base, send: (parcel) => sender.send(parcel, send.command) }
    },
    directory,
    mcpServers: () => servers.status(),
    wayConfig: config,
    knownNames: () => knownNames(config(), directory.resolver()),
    recut: { bodies: ports.bodies, wants: ports.wants, config },
    why: (question) => explain(question, ports),
    record,
    articles: createArticles({ bucket, clock, record }),
    ingestBytes: () => config().limits.ingestBytes,
    axes: AXES,
    version: VERSION,
    configVersion: () => config().version,
    configuration() {
      const { written, keyring } = holder.current()
      const mask = (text: string) => maskTokens(keyring.redactor.redactText(text))
      return settingsOf(written.config).map(({ path, value }) => ({ path, value: mask(value) }))
    },
  }
}

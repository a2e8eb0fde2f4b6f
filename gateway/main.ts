import './flags.ts'
import { dirname } from 'node:path'
import { loadFreshCedar } from '../adapters/cedar/fresh.ts'
import { systemClock } from '../adapters/clock/system.ts'
import { createSecretReader } from '../adapters/keys/reader.ts'
import { SecretText } from '../adapters/keys/secret.ts'
import { openBodyStore } from '../adapters/objects/disk.ts'
import { createMcpConnect } from '../adapters/mcp/connect.ts'
import { openEmbeddedPersons } from '../adapters/persons/embedded.ts'
import { createCommandSender } from '../adapters/sender/command.ts'
import type { Sender } from '../adapters/sender/port.ts'
import { createUpstream } from '../adapters/upstream/http.ts'
import {
  createCedarEngine,
  createDecider,
  createLeashing,
  type CedarEngine,
} from '../policy/index.ts'
import { createAccessTokens } from './access-tokens.ts'
import { recordErasure, recordReload, recordStart } from './audit.ts'
import { articlesOf, holdersOf, openBuckets, ownersOf } from './buckets.ts'
import { loadWithKeys, type LoadWithKeys } from './build-keys.ts'
import {
  createConfigHolder,
  GRANTS_URL,
  PERSONS_KEY,
  type Config,
  type ConfigHolder,
  type Overrides,
  type ReloadResult,
  type SnapshotLoaded,
} from './config/index.ts'
import { createCursors } from './cursors.ts'
import { nodeDigests } from './digests.ts'
import type { DirectCall } from './direct.ts'
import { createGateway } from './gateway.ts'
import { createIssuer } from './issuer.ts'
import { openLedger, openLedgerAnchor, openLedgerExports } from './ledger.ts'
import { createLog } from './log.ts'
import { createMcpServers } from './mcp-servers/servers.ts'
import { createMetrics } from './metrics.ts'
import { createOwnerPorts } from './owner/compose.ts'
import { createSessions } from './persons/session.ts'
import type { Log, Ports, Snapshot } from './ports.ts'
import { createReadiness } from './readiness.ts'
import { relayGrantEvents } from './relay-grants.ts'
import { eraseBodies, keepRetention } from './retention.ts'
import { createTokenRing } from './ring.ts'
import { loadSnapshot } from './snapshot.ts'
import { StartProblem } from './start-problem.ts'
import { openState, readBuildKeys, type State } from './state/open.ts'
import { databaseFiles } from './state/paths.ts'
import { createStoreUpstream } from './store/local.ts'
import { openStores } from './stores.ts'
import { createAuthority } from './tls/authority.ts'
import { VERSION } from './version.ts'
import { createWants } from './wants.ts'

/** Open exchanges get this long to end when the gateway stops, in milliseconds. */
const GRACE_MS = 10_000

export interface StartOptions {
  /** Without it `./narrowgate.yaml` is read where there is one, else the defaults stand. */
  readonly configFile?: string
  /** The state folder; goes before the configuration and the environment. */
  readonly state?: string
  readonly overrides?: Omit<Overrides, 'state'>
  /** Goes before the configuration's `log.level`. */
  readonly log?: Config['log']['level']
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** A gateway that runs in this process. */
export interface Gateway {
  /** What was bound: `host:port`, or `unix:<path>`. */
  readonly addresses: { readonly proxy: string; readonly owner: string }
  readonly state: { readonly folder: string; readonly made: readonly string[] }
  /** The CA's certificate, which clients have to trust. */
  readonly caFile: string
  /** Calls a tool without a connection. */
  readonly call: DirectCall
  /** Reads the configuration again; where it is wrong the old one stays. */
  reload(): Promise<ReloadResult>
  /** Ends running exchanges, waits for their receipts, then releases the state folder. */
  stop(): Promise<void>
}

/**
 * The composition root: configuration, then state, then drivers, then the gateway that is given them. Nothing is
 * listened to before everything stands.
 * @throws StartProblem with every problem that was found
 */
export async function startGateway(options: StartOptions = {}): Promise<Gateway> {
  const cedar = createCedarEngine({ loadCedar: loadFreshCedar })
  const loader = createLoader(options, cedar)
  const again = loadWithKeys(loader, (config) => readBuildKeys(keyPlace(config, options)))
  const holder = createConfigHolder(unwrap(await loader()), again.load)
  const { config } = holder.current()
  const state = await openStateOrFail(config, options)
  const log = createLog(
    options.log ?? config.log.level,
    () => holder.current().keyring.redactor.redactText,
  )
  const closers: (() => Promise<void> | void)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const env = options.env ?? process.env
    const folder = baseOf(config, options.cwd ?? process.cwd())
    const sender = createCommandSender({ env, folder })
    const runs = { folder, path: env['PATH'] }
    return await compose({ holder, again, cedar, sender, runs, state, log, closers, closeAll })
  } catch (error) {
    await closeAll()
    throw error
  }
}

interface Foundations {
  readonly holder: ConfigHolder<Snapshot>
  readonly again: LoadWithKeys
  readonly cedar: CedarEngine
  readonly sender: Sender
  /** Where programs of the configuration are started, and looked for. */
  readonly runs: { readonly folder: string; readonly path: string | undefined }
  readonly state: State
  readonly log: Log
  /** What has been opened, in order; closed the other way round. */
  readonly closers: (() => Promise<void> | void)[]
  readonly closeAll: () => Promise<void>
}

async function compose(foundations: Foundations): Promise<Gateway> {
  const { holder, again, cedar, sender, runs, state, log, closers, closeAll } = foundations
  const { config, secrets } = holder.current()
  const snapshot = () => holder.current()
  const around = { log, closers, secrets }
  const { ledger, index, feed, proofs, ingest } = await openLedger(config, state, around)
  const metrics = createMetrics({
    lag: () => index.lag(),
    ledger: () => ledger.stats(),
    exports: () => exports.status(),
    signed: () => proofs.latest()?.size ?? 0,
    anchor: () => anchor?.stats(),
  })
  const files = databaseFiles(state.paths)
  const url = () => holder.current().secrets.get(GRANTS_URL)?.reveal() ?? ''
  const { grants, uses } = await openStores({ config: config.grants, files, url }, closers)
  const bodies = await openBodyStore({
    folder: state.paths.bodies,
    limitBytes: config.store.maxBytes,
  })
  closers.push(() => bodies.close())
  const place = { config: config.buckets, paths: state.paths, secrets, index, bodies }
  const buckets = await openBuckets(place, closers)
  const exports = openLedgerExports(config, state, { ...around, feed, buckets })
  const anchor = openLedgerAnchor(config, state, { ...around, ledger, proofs, buckets })
  const persons = openEmbeddedPersons({
    file: files.persons,
    key: holder.current().secrets.get(PERSONS_KEY),
    wrap: holdSecret,
  })
  const addresses: string[] = []
  const upstream = createUpstream({
    engine: config.engine,
    dnsMs: config.limits.upstreamDnsMs,
    ownAddresses: () => addresses,
  })
  const connect = createMcpConnect(VERSION)
  const servers = createMcpServers({ ...runs, connect, upstream, snapshot, log })
  closers.push(...[persons, upstream, servers].map((one) => () => one.close()))
  const authority = await createAuthority({ folder: state.paths.ca, clock: systemClock })
  const decider = createDecider({ cedar })
  const readiness = createReadiness(decider, { ledger, grants }, log)
  const { maxTokenBytes: maxBytes } = config.limits
  const ring = createTokenRing(state.buildKeys, { label: config.grantLabel, maxBytes })
  const sessions = createSessions(state.ownerKey, systemClock)
  const cursors = createCursors(ring.secrets)
  const ports: Ports = {
    clock: systemClock,
    verifier: ring,
    decider,
    sessions,
    leash: createLeashing(grants, nodeDigests),
    uses,
    revocations: grants,
    ledger,
    bodies,
    upstream,
    inner: { store: createStoreUpstream(holdersOf(buckets, config.ledger), log), mcp: servers },
    wants: createWants(cursors),
    metrics,
    log,
    snapshot,
    // A call tries the ledger and the grants itself: that is how they come back into service, and it says which.
    notReady: () => readiness().filter((name) => name !== 'ledger' && name !== 'grants'),
  }
  bodies.onErased((sha256, bytes) => void recordErasure(ledger, log, { sha256, bytes }))
  closers.push(keepRetention(config.store.maxDays, { bodies, ledger, clock: systemClock, log }))
  const gateway = createGateway({
    ports,
    authority,
    metrics,
    owner: await createOwnerPorts({
      ports,
      holder,
      ownerKey: state.ownerKey,
      issuer: createIssuer({ keys: ring.keys, digests: nodeDigests, maxBytes }),
      grants,
      persons,
      sessions,
      sender,
      servers,
      index,
      buckets: ownersOf(buckets),
      articlesBucket: articlesOf(buckets),
      feed,
      exports,
      ingest,
      proofs,
      anchor,
      eraseBodies: (before) => eraseBodies({ bodies, ledger }, before, 'owner'),
      notReady: readiness,
      registry: metrics.registry,
      cursors,
      holderAddress: () => addresses[0],
      wrap: holdSecret,
    }),
  })
  const stopRelay = relayGrantEvents(grants, ledger, log)
  closers.push(stopRelay, () => gateway.close(GRACE_MS))
  const bound = await gateway.listen()
  addresses.push(bound.proxy, bound.owner)
  await recordStart(ledger, log, { version: VERSION, configuration: config.version, ...bound })
  proofs.start()
  void servers.follow()
  log.info({ proxy: bound.proxy, owner: bound.owner }, 'listening')
  return {
    addresses: bound,
    state: { folder: state.folder, made: state.made },
    caFile: authority.caFile,
    call: gateway.call,
    async reload() {
      const result = await holder.reload()
      const buildKeys = again.read()
      if (result.ok && buildKeys !== undefined) ring.replace(buildKeys)
      if (result.ok) await servers.follow()
      await recordReload(result, holder, { ledger, log })
      return result
    },
    stop: closeAll,
  }
}

function createLoader(
  options: StartOptions,
  cedar: CedarEngine,
): () => Promise<SnapshotLoaded<Snapshot>> {
  const env = options.env ?? process.env
  const cwd = options.cwd ?? process.cwd()
  const overrides = { ...options.overrides, state: options.state }
  const reader = (config: Config) => createSecretReader({ env, baseFolder: baseOf(config, cwd) })
  const accessTokens = createAccessTokens(holdSecret)
  return () =>
    loadSnapshot(
      { file: options.configFile, env, cwd, overrides },
      { reader, accessTokens, loadCedar: loadFreshCedar, cedar },
    )
}

function holdSecret(name: string, value: string): SecretText {
  return new SecretText(name, value)
}

/** Relative file names in a configuration start from its own folder. */
function baseOf({ file }: Config, cwd: string): string {
  return file === undefined ? cwd : dirname(file)
}

function unwrap(loaded: SnapshotLoaded<Snapshot>): Snapshot {
  if (!loaded.ok) throw new StartProblem(loaded.problems)
  return loaded.snapshot
}

async function openStateOrFail(config: Config, options: StartOptions): Promise<State> {
  const opened = await openState({ ...keyPlace(config, options), ownerKey: config.ownerKey })
  if (!opened.ok) throw new StartProblem(opened.problems)
  return opened.state
}

/** Where the build keys are, and how they are read. */
function keyPlace(config: Config, { env = process.env, cwd = process.cwd() }: StartOptions) {
  const { state: folder, buildKeys } = config
  const reader = createSecretReader({ env, baseFolder: baseOf(config, cwd) })
  return { folder, reader, buildKeys }
}

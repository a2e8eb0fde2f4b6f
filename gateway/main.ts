import './flags.ts'
import { dirname } from 'node:path'
import { loadFreshCedar } from '../adapters/cedar/fresh.ts'
import { systemClock } from '../adapters/clock/system.ts'
import { openEmbeddedGrants } from '../adapters/grants/embedded.ts'
import { createSecretReader } from '../adapters/keys/reader.ts'
import { openLedgerIndex } from '../adapters/ledger/index/open.ts'
import type { Ledger, LedgerIndex } from '../adapters/ledger/port.ts'
import { openSegmentLog } from '../adapters/ledger/segment/log.ts'
import { openBodyStore } from '../adapters/objects/disk.ts'
import { createUpstream } from '../adapters/upstream/http.ts'
import { openEmbeddedUses } from '../adapters/uses/embedded.ts'
import { createRouter } from '../catalog/index.ts'
import {
  AXES,
  createBuildKey,
  createCedarEngine,
  createDecider,
  createTokenVerifier,
} from '../policy/index.ts'
import { recordErasure, recordReload, recordStart, recordStop } from './audit.ts'
import {
  createConfigHolder,
  loadConfig,
  printProblem,
  readSecrets,
  type Config,
  type ConfigHolder,
  type Overrides,
  type Problem,
  type ReloadResult,
  type SnapshotLoaded,
} from './config/index.ts'
import { createCursors } from './cursors.ts'
import { nodeDigests } from './digests.ts'
import { createGateway } from './gateway.ts'
import { createKeyRing } from './keyring.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import type { Log, Ports, Snapshot } from './ports.ts'
import { createReadiness } from './readiness.ts'
import { relayGrantEvents } from './relay-grants.ts'
import { openState, type State } from './state/open.ts'
import { databaseFiles } from './state/paths.ts'
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
  /** Reads the configuration again; where it is wrong the old one stays. */
  reload(): Promise<ReloadResult>
  /** Ends running exchanges, waits for their receipts, then releases the state folder. */
  stop(): Promise<void>
}

/** A start that cannot be made: all that is wrong, with its repair. */
export class StartProblem extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(printProblem).join('\n'))
    this.name = 'StartProblem'
    this.problems = problems
  }
}

/**
 * The composition root: configuration, then state, then drivers, then the gateway that is given them. Nothing is
 * listened to before everything stands.
 * @throws StartProblem with every problem that was found
 */
export async function startGateway(options: StartOptions = {}): Promise<Gateway> {
  const loader = createLoader(options)
  const holder = createConfigHolder(unwrap(await loader()), loader)
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
    return await compose({ holder, state, log, closers, closeAll })
  } catch (error) {
    await closeAll()
    throw error
  }
}

interface Foundations {
  readonly holder: ConfigHolder<Snapshot>
  readonly state: State
  readonly log: Log
  /** What has been opened, in order; closed the other way round. */
  readonly closers: (() => Promise<void> | void)[]
  readonly closeAll: () => Promise<void>
}

async function compose({ holder, state, log, closers, closeAll }: Foundations): Promise<Gateway> {
  const { config } = holder.current()
  const { ledger, index } = await openLedger(config, state, { log, closers })
  const metrics = createMetrics({ lag: () => index.lag(), ledger: () => ledger.stats() })
  const files = databaseFiles(state.paths)
  const uses = openEmbeddedUses({ file: files.uses })
  const grants = openEmbeddedGrants({ file: files.grants })
  const bodies = await openBodyStore({
    folder: state.paths.bodies,
    limitBytes: config.store.maxBytes,
  })
  const addresses: string[] = []
  const upstream = createUpstream({ ownAddresses: () => addresses })
  closers.push(
    () => uses.close(),
    () => grants.close(),
    () => bodies.close(),
    () => upstream.close(),
  )
  const authority = await createAuthority({ folder: state.paths.ca, clock: systemClock })
  const decider = createDecider({ cedar: createCedarEngine({ loadCedar: loadFreshCedar }) })
  const readiness = createReadiness(decider, ledger, log)
  const ports: Ports = {
    clock: systemClock,
    verifier: createTokenVerifier({
      keys: state.buildKeys.map((key) =>
        createBuildKey(key.reveal(), config.grantLabel, nodeDigests),
      ),
      digests: nodeDigests,
      maxBytes: config.limits.maxTokenBytes,
    }),
    decider,
    uses,
    revocations: grants,
    ledger,
    bodies,
    upstream,
    wants: createWants(createCursors(state.buildKeys[0].reveal())),
    metrics,
    log,
    snapshot: () => holder.current(),
    // A call tries the ledger itself: that is how it comes back into service.
    notReady: () => readiness().filter((name) => name !== 'ledger'),
  }
  bodies.onErased((sha256, bytes) => void recordErasure(ledger, log, { sha256, bytes }))
  const gateway = createGateway({
    ports,
    authority,
    metrics,
    owner: {
      clock: systemClock,
      log,
      ownerKey: state.ownerKey,
      listen: config.listen.owner,
      notReady: readiness,
      registry: metrics.registry,
      axes: AXES,
      ledger,
      index,
      version: VERSION,
      configVersion: () => holder.current().config.version,
    },
  })
  const stopRelay = relayGrantEvents(grants, ledger, log)
  closers.push(stopRelay, () => gateway.close(GRACE_MS))
  const bound = await gateway.listen()
  addresses.push(bound.proxy, bound.owner)
  await recordStart(ledger, log, { version: VERSION, configuration: config.version, ...bound })
  log.info({ proxy: bound.proxy, owner: bound.owner }, 'listening')
  return {
    addresses: bound,
    state: { folder: state.folder, made: state.made },
    caFile: authority.caFile,
    async reload() {
      const result = await holder.reload()
      await recordReload(result, holder, { ledger, log })
      return result
    },
    stop: closeAll,
  }
}

function createLoader(options: StartOptions): () => Promise<SnapshotLoaded<Snapshot>> {
  const env = options.env ?? process.env
  const cwd = options.cwd ?? process.cwd()
  const overrides = { ...options.overrides, state: options.state }
  return async () => {
    const loaded = loadConfig({ file: options.configFile, env, cwd, overrides })
    if (!loaded.ok) return loaded
    const { config } = loaded
    const read = await readSecrets(
      config,
      createSecretReader({ env, baseFolder: baseOf(config, cwd) }),
    )
    if (!read.ok) return read
    const { secrets } = read
    const keyring = createKeyRing(config, secrets)
    return {
      ok: true,
      snapshot: { config, secrets, keyring, router: createRouter(config.catalog) },
    }
  }
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
  const env = options.env ?? process.env
  const reader = createSecretReader({
    env,
    baseFolder: baseOf(config, options.cwd ?? process.cwd()),
  })
  const { state: folder, buildKeys, ownerKey } = config
  const opened = await openState({ folder, reader, buildKeys, ownerKey })
  if (!opened.ok) throw new StartProblem(opened.problems)
  return opened.state
}

async function openLedger(
  config: Config,
  { paths }: State,
  { log, closers }: Pick<Foundations, 'log' | 'closers'>,
): Promise<{ readonly ledger: Ledger; readonly index: LedgerIndex }> {
  const ledger = await openSegmentLog({
    folder: paths.ledger,
    mode: config.ledger.mode,
    clock: systemClock,
    onAlarm: (alarm) => log.error({ alarm }, 'the ledger found something that must be looked at'),
  })
  closers.push(() => ledger.close())
  const index = await openLedgerIndex({
    folder: paths.ledger,
    file: databaseFiles(paths).index,
    log: ledger,
    onFault: (fault) => log.error({ fault }, 'the index found a broken chain'),
  })
  closers.push(
    () => index.close(),
    () => recordStop(ledger, log, VERSION),
  )
  return { ledger, index }
}

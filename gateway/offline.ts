import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadFreshCedar } from '../adapters/cedar/fresh.ts'
import { systemClock } from '../adapters/clock/system.ts'
import { itemsOf, writeItems, type WholeFormat } from '../adapters/exports/write.ts'
import type { Grants } from '../adapters/grants/port.ts'
import type { Secret, SecretSource } from '../adapters/keys/port.ts'
import { createSecretReader } from '../adapters/keys/reader.ts'
import { SecretText } from '../adapters/keys/secret.ts'
import { createOpenApiReader } from '../adapters/documents/openapi.ts'
import type { ReadDocument } from '../adapters/documents/port.ts'
import { createSigner } from '../adapters/ledger/checkpoint/note.ts'
import { openReadOnlyIndex } from '../adapters/ledger/index/readonly.ts'
import type { LedgerIndex } from '../adapters/ledger/port.ts'
import { openSegmentLog } from '../adapters/ledger/segment/log.ts'
import { verifySegments, type Known, type Verification } from '../adapters/ledger/verify.ts'
import { readEvidence } from '../adapters/ledger/verify/evidence.ts'
import { readVerifierKey } from '../adapters/ledger/verify/note.ts'
import type { Cursors } from '../catalog/index.ts'
import { openBodyStore } from '../adapters/objects/disk.ts'
import type { Erasure } from '../adapters/objects/port.ts'
import { createBuildKey, createCedarEngine, type BuildKey } from '../policy/index.ts'
import { GRANTS_URL, LEDGER_URL, loadConfig, printProblem, readSecrets } from './config/index.ts'
import type { Config, Problem } from './config/index.ts'
import { createCursors } from './cursors.ts'
import type { JudgingPorts } from './ports.ts'
import { eraseBodies } from './retention.ts'
import { judgeAccess } from './state/judge.ts'
import { ledgerKeyOf } from './state/open.ts'
import { databaseFiles, statePaths } from './state/paths.ts'
import {
  examineGrants,
  examineIndex,
  openGrants,
  openOfflineTeamIndex,
  openUses,
} from './stores.ts'
import { VERSION } from './version.ts'
import { offlineJudging } from './why/offline.ts'

/** Where commands find what they work on. */
export interface OfflineOptions {
  /** Undefined means ./narrowgate.yaml in `cwd`, if there is one. */
  readonly configFile: string | undefined
  /** Goes before NARROWGATE_STATE and the configuration. */
  readonly state: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** A state folder as commands use it, whether or not a gateway runs on it. Nothing is opened before it is asked for. */
export interface Offline {
  readonly config: Config
  readonly folder: string
  readonly caFile: string
  readonly ledgerFolder: string
  /** The first one mints, all of them verify. Rejects where a key is missing or unfit. */
  buildKeys(): Promise<readonly [BuildKey, ...BuildKey[]]>
  /** Undefined where there is none yet. */
  ownerKey(): Promise<string | undefined>
  /** What others check this ledger's signatures with; undefined where there is no key yet. Rejects where it is unfit. */
  ledgerKey(): Promise<string | undefined>
  /** Makes and checks cursors as a gateway with these build keys does. */
  cursors(): Promise<Cursors>
  /** Opens the index of receipts for the time of `work`. */
  withIndex<T>(work: (index: LedgerIndex) => Promise<T> | T): Promise<T>
  /**
   * Gives out what this state's ledger has closed, in the order of its feed; `since` is RFC 3339 in UTC. Each piece is
   * taken before the next is made.
   */
  exportLedger(
    what: { readonly format: WholeFormat; readonly since: string | undefined },
    take: (piece: string | Uint8Array) => Promise<void>,
  ): Promise<void>
  /**
   * Erases the kept bodies that no exchange had since a time (milliseconds since the epoch), each an event of the log.
   * Rejects where another process owns the log.
   */
  eraseBodies(before: number): Promise<Erasure>
  /** Opens the store of grants and revocations for the time of `work`. */
  withGrants<T>(work: (grants: Grants) => Promise<T> | T): Promise<T>
  /** How many calls were let through at each link. */
  readUses(links: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Judges calls as the gateway of this state would; nothing is taken, recorded or sent. */
  judging<T>(work: (ports: JudgingPorts) => Promise<T>): Promise<T>
  /** Looks at the database of grants without changing it; undefined where there is none. Rejects where it is out of reach. */
  examineGrants(): ReturnType<typeof examineGrants>
  /** The same of the database of the ledger's index. */
  examineIndex(): ReturnType<typeof examineGrants>
  /** Files and folders that are open to others; undefined where there is no state yet. */
  judgeAccess(): Promise<readonly Problem[] | undefined>
}

export type OfflineOpened =
  | { readonly ok: true; readonly offline: Offline }
  /** Each problem as one line: path, got, repair. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** Loads the configuration and finds the state folder; neither is made. */
export async function openOffline(options: OfflineOptions): Promise<OfflineOpened> {
  const loaded = load(options)
  if (!loaded.ok) return { ok: false, problems: loaded.problems.map(printProblem) }
  return { ok: true, offline: createOffline(loaded.config, options) }
}

/** The problems of a configuration and of its secrets, and each as one line. */
export async function checkConfiguration(
  options: OfflineOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly lines: readonly string[] }> {
  const loaded = load(options)
  const problems = loaded.ok ? await secretProblems(loaded.config, options) : loaded.problems
  return { problems, lines: problems.map(printProblem) }
}

function load({ configFile, state, env, cwd }: OfflineOptions): ReturnType<typeof loadConfig> {
  return loadConfig({
    file: configFile,
    env,
    cwd,
    overrides: { state },
    loadCedar: loadFreshCedar,
  })
}

async function secretProblems(
  config: Config,
  options: OfflineOptions,
): Promise<readonly Problem[]> {
  const read = await readSecrets(config, readerFor(config, options))
  return read.ok ? [] : read.problems
}

function readerFor(config: Config, { env, cwd }: OfflineOptions) {
  const baseFolder = config.file === undefined ? cwd : dirname(config.file)
  return createSecretReader({ env, baseFolder })
}

function createOffline(config: Config, options: OfflineOptions): Offline {
  const paths = statePaths(config.state)
  const files = databaseFiles(paths)
  const reader = readerFor(config, options)
  const keyOf = async (source: SecretSource): Promise<BuildKey> =>
    createBuildKey((await reader.read('build-key', source)).reveal(), config.grantLabel)
  const stores = {
    config: config.grants,
    async url() {
      const { url } = config.grants
      return url === undefined ? '' : (await reader.read(GRANTS_URL, url)).reveal()
    },
  }
  /** Undefined for the embedded index. */
  const indexUrl = async () => {
    const { url } = config.ledger.index
    return url === undefined ? undefined : (await reader.read(LEDGER_URL, url)).reveal()
  }
  const buildSecrets = async () => {
    const [first = { file: paths.buildKey }, ...older] = config.buildKeys ?? []
    const read = (source: SecretSource) => reader.read('build-key', source)
    return [await read(first), ...(await Promise.all(older.map(read)))] as const
  }
  const ownerSecret = async (): Promise<Secret | undefined> => {
    const source = config.ownerKey ?? { file: paths.ownerKey }
    if ('file' in source && !existsSync(source.file)) return undefined
    return reader.read('owner-key', source)
  }
  return {
    config,
    folder: paths.folder,
    caFile: join(paths.ca, 'ca.pem'),
    ledgerFolder: paths.ledger,
    async buildKeys() {
      const [first = { file: paths.buildKey }, ...older] = config.buildKeys ?? []
      return [await keyOf(first), ...(await Promise.all(older.map(keyOf)))]
    },
    ownerKey: async () => (await ownerSecret())?.reveal(),
    async ledgerKey() {
      const { source, name } = ledgerKeyOf(paths)
      if (!existsSync(source.file)) return undefined
      return createSigner(config.ledger.name, await reader.read(name, source)).verifierKey
    },
    async cursors() {
      const keys = await buildSecrets()
      return createCursors(() => keys)
    },
    async withIndex(work) {
      const url = await indexUrl()
      const index =
        url === undefined
          ? await openReadOnlyIndex({ folder: paths.ledger, file: files.index })
          : openOfflineTeamIndex(url, paths.ledger)
      return closing(index, work)
    },
    async exportLedger({ format, since }, take) {
      const index = await openReadOnlyIndex({ folder: paths.ledger, file: files.index })
      await closing(index, async () => {
        await index.sync()
        await writeItems(itemsOf(index.feed, since), { format, version: VERSION }, take)
      })
    },
    async eraseBodies(before) {
      const { mode, segmentBytes: rotateBytes } = config.ledger
      const log = { folder: paths.ledger, mode, clock: systemClock, rotateBytes }
      return closing(await openSegmentLog(log), async (ledger) =>
        closing(
          await openBodyStore({ folder: paths.bodies, limitBytes: config.store.maxBytes }),
          (bodies) => eraseBodies({ bodies, ledger }, before, 'owner'),
        ),
      )
    },
    async withGrants(work) {
      return closing(await openGrants({ ...stores, file: files.grants }), work)
    },
    async readUses(links) {
      return closing(await openUses({ ...stores, file: files.uses }), (uses) => uses.read(links))
    },
    async judging(work) {
      const parts = {
        config,
        buildKeys: await buildSecrets(),
        ownerKey: await ownerSecret(),
        cedar: createCedarEngine({ loadCedar: loadFreshCedar }),
        clock: systemClock,
        wrap: (name: string, value: string) => new SecretText(name, value),
      }
      return closing(await openGrants({ ...stores, file: files.grants }), async (grants) =>
        closing(await openUses({ ...stores, file: files.uses }), (uses) =>
          work(offlineJudging({ ...parts, grants, uses })),
        ),
      )
    },
    examineGrants: () => examineGrants(stores),
    async examineIndex() {
      const url = await indexUrl()
      return url === undefined ? undefined : examineIndex(url)
    },
    async judgeAccess() {
      if (!existsSync(paths.folder)) return undefined
      const secret = [paths.buildKey, paths.ownerKey, paths.ledgerKey, join(paths.ca, 'ca.key')]
      const judged = await Promise.all([
        judgeAccess(paths.folder, '700'),
        ...secret.filter((file) => existsSync(file)).map((file) => judgeAccess(file, '600')),
      ])
      return judged.flat()
    },
  }
}

async function closing<S extends { close(): Promise<void> | void }, T>(
  store: S,
  work: (store: S) => Promise<T> | T,
): Promise<T> {
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** What a check of a log found. */
export interface LedgerCheck extends Verification {
  /** No fault was found. A torn tail is none: recovery cuts it. */
  readonly sound: boolean
}

/** Checks a log from its files alone, against what is known of it from elsewhere. */
export async function verifyLedger(folder: string, known: Known = {}): Promise<LedgerCheck> {
  const found = await verifySegments(folder, known)
  return { ...found, sound: found.verdict !== 'damaged' }
}

/** Reads a receipt, a proof or a checkpoint that was kept; undefined of anything else. */
export const readLedgerEvidence = readEvidence

/** Reads a C2SP verifier key; undefined of anything else. */
export const readLedgerKey = readVerifierKey

/** Reads an API description, JSON or YAML. Nothing but the text itself is opened. */
export function readApiDocument(source: string): Promise<ReadDocument> {
  return createOpenApiReader().read(source)
}

import type { Secret, SecretReader, SecretSource } from '../../adapters/keys/port.ts'
import type { Problem } from '../config/types.ts'
import { judgeAccess, judgeKey, judgeSigningKey } from './judge.ts'
import { makeFolder, makeKeyFile } from './make.ts'
import { statePaths, type StatePaths } from './paths.ts'

export interface OpenStateOptions {
  readonly folder: string
  readonly reader: SecretReader
  /** Undefined means `build.key` in the folder, made where it is missing. */
  readonly buildKeys?: readonly SecretSource[] | undefined
  /** Undefined means `owner.key` in the folder, made where it is missing. */
  readonly ownerKey?: SecretSource | undefined
}

/** The state folder, ready to be used. */
export interface State {
  readonly folder: string
  readonly paths: StatePaths
  /** The first one mints, all of them verify. */
  readonly buildKeys: readonly [Secret, ...Secret[]]
  readonly ownerKey: Secret
  /** Of Ed25519, 32 bytes in base64url: signs the ledger's checkpoints. It is never configured. */
  readonly ledgerKey: Secret
  /** Absolute paths of what this start made. */
  readonly made: readonly string[]
}

export type StateOpened =
  | { readonly ok: true; readonly state: State }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Makes what is missing in the state folder and reads the gateway's own keys. A key that the
 * configuration names is never made: where it is missing, short, an example or open to others, the
 * state does not open, and all that is wrong is told.
 */
export async function openState(options: OpenStateOptions): Promise<StateOpened> {
  const paths = statePaths(options.folder)
  const made: string[] = []
  try {
    if (await makeFolder(paths.folder)) made.push(paths.folder)
    // Judged before anything is put there: in a folder open to others a key could be swapped.
    const outer = await judgeAccess(paths.folder, '700')
    if (outer.length > 0) return { ok: false, problems: outer }
    await makeMissing(paths, options, made)
    const inner = await judgeInner(paths, options)
    return inner.length > 0 ? { ok: false, problems: inner } : await readKeys(paths, options, made)
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const repair = 'make it a folder that the gateway may write, or name another with `--state`'
    return {
      ok: false,
      problems: [{ path: path ?? paths.folder, got: `an error (${code})`, repair }],
    }
  }
}

function subFolders({ ca, ledger, bodies, db }: StatePaths): readonly string[] {
  return [ca, ledger, bodies, db]
}

/** Key files that this folder holds; configured ones are judged by the reader. */
function ownKeyFiles(paths: StatePaths, options: OpenStateOptions): readonly string[] {
  return [
    ...(options.buildKeys === undefined ? [paths.buildKey] : []),
    ...(options.ownerKey === undefined ? [paths.ownerKey] : []),
    paths.ledgerKey,
  ]
}

async function makeMissing(
  paths: StatePaths,
  options: OpenStateOptions,
  made: string[],
): Promise<void> {
  for (const folder of subFolders(paths)) {
    if (await makeFolder(folder)) made.push(folder)
  }
  for (const file of ownKeyFiles(paths, options)) {
    if (await makeKeyFile(file)) made.push(file)
  }
}

async function judgeInner(
  paths: StatePaths,
  options: OpenStateOptions,
): Promise<readonly Problem[]> {
  const judged = await Promise.all([
    ...subFolders(paths).map((path) => judgeAccess(path, '700')),
    ...ownKeyFiles(paths, options).map((path) => judgeAccess(path, '600')),
  ])
  return judged.flat()
}

async function readKeys(
  paths: StatePaths,
  { reader, buildKeys, ownerKey }: OpenStateOptions,
  made: readonly string[],
): Promise<StateOpened> {
  const wanted = [
    ...wantedBuildKeys(paths, buildKeys),
    { source: ownerKey ?? { file: paths.ownerKey }, name: 'owner-key', path: 'owner_key' },
    { ...ledgerKeyOf(paths), judge: judgeSigningKey },
  ]
  const read = await Promise.all(wanted.map((one) => readKey(one, reader)))
  const problems = read.flatMap((one) => ('problem' in one ? [one.problem] : []))
  const secrets = read.flatMap((one) => ('secret' in one ? [one.secret] : []))
  const [ledger, owner] = [secrets.pop(), secrets.pop()]
  const [first, ...older] = secrets
  if (problems.length > 0 || ledger === undefined || owner === undefined || first === undefined)
    return { ok: false, problems }
  const state = {
    folder: paths.folder,
    paths,
    buildKeys: [first, ...older] as const,
    ownerKey: owner,
    ledgerKey: ledger,
    made,
  }
  return { ok: true, state }
}

export type BuildKeysRead =
  | { readonly ok: true; readonly buildKeys: State['buildKeys'] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Reads the build keys again, while the gateway runs. One that is missing is not made. */
export async function readBuildKeys({
  folder,
  reader,
  buildKeys,
}: Omit<OpenStateOptions, 'ownerKey'>): Promise<BuildKeysRead> {
  const wanted = wantedBuildKeys(statePaths(folder), buildKeys)
  const read = await Promise.all(wanted.map((one) => readKey(one, reader)))
  const problems = read.flatMap((one) => ('problem' in one ? [one.problem] : []))
  const [first, ...older] = read.flatMap((one) => ('secret' in one ? [one.secret] : []))
  return problems.length > 0 || first === undefined
    ? { ok: false, problems }
    : { ok: true, buildKeys: [first, ...older] }
}

function wantedBuildKeys(
  { buildKey }: StatePaths,
  sources: readonly SecretSource[] = [{ file: buildKey }],
): readonly WantedKey[] {
  return sources.map((source, i) => ({
    source,
    name: `build-key-${i + 1}`,
    path: `build_keys[${i}]`,
  }))
}

interface WantedKey {
  readonly source: SecretSource
  readonly name: string
  readonly path: string
  /** `judgeKey` by default. */
  readonly judge?: typeof judgeKey
}

/** Where the key is that signs checkpoints. */
export function ledgerKeyOf({ ledgerKey }: Pick<StatePaths, 'ledgerKey'>) {
  return { source: { file: ledgerKey }, name: 'ledger-key', path: ledgerKey } as const
}

async function readKey(
  { source, name, path, judge = judgeKey }: WantedKey,
  reader: SecretReader,
): Promise<{ readonly secret: Secret } | { readonly problem: Problem }> {
  try {
    const secret = await reader.read(name, source)
    const problem = judge(secret.reveal(), path)
    return problem === undefined ? { secret } : { problem }
  } catch (error) {
    const got = error instanceof Error ? error.message : 'an error'
    return {
      problem: {
        path,
        got,
        repair: 'make the source give the key: it is not made anew where it is configured',
      },
    }
  }
}

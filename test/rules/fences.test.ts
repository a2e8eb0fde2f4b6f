import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { binary, copyTree, PRODUCT, ROOT, runPlain } from './tree.ts'

const FOLDERS = [...PRODUCT, 'bench', 'test']

/** One bad file for each rule, where the rule forbids it. */
const PLANTED: Readonly<Record<string, readonly [file: string, source: string]>> = {
  'no-cycles': ['policy/planted-cycle.ts', `export { a } from './planted-further.ts'`],
  'policy-is-a-leaf': ['policy/planted.ts', `export * from '../catalog/index.ts'`],
  'catalog-is-a-leaf': ['catalog/planted.ts', `export * from '../policy/index.ts'`],
  'client-knows-the-chain-alone': ['client/planted.ts', `export * from '../policy/narrow.ts'`],
  'client-runs-in-browsers': ['client/planted-node.ts', `export { join } from 'node:path'`],
  'client-is-for-others': ['cli/planted-client.ts', `export { Refused } from '../client/index.ts'`],
  'adapters-know-no-gateway': [
    'adapters/clock/planted.ts',
    `export { ERRORS } from '../../gateway/errors.ts'`,
  ],
  'gateway-knows-no-launcher': ['gateway/planted.ts', `export * from '../sidecar/runner.ts'`],
  'sidecar-knows-no-cli': ['sidecar/planted.ts', `export { EXIT } from '../cli/exit.ts'`],
  'gateway-sees-ports-only': [
    'gateway/planted-driver.ts',
    `export { systemClock } from '../adapters/clock/system.ts'`,
  ],
  'launchers-see-no-drivers': [
    'cli/planted.ts',
    `export { systemClock } from '../adapters/clock/system.ts'`,
  ],
  'ports-hold-types-only': [
    'gateway/planted-port.ts',
    `import '../adapters/clock/port.ts'\nexport const a = 1`,
  ],
  'drivers-are-strangers': [
    'adapters/uses/planted.ts',
    `export { systemClock } from '../clock/system.ts'`,
  ],
  'stages-are-strangers': ['gateway/stages/planted.ts', `export * from './token.ts'`],
  'doors-know-no-stage': ['gateway/doors/planted.ts', `export * from '../stages/token.ts'`],
  'enter-by-the-index': ['gateway/planted-inside.ts', `export * from '../policy/decide.ts'`],
  'no-io-in-the-core': ['catalog/planted-io.ts', `export { readFileSync } from 'node:fs'`],
  'nobody-imports-tests': ['cli/planted-test.ts', `export * from '../bench/config.ts'`],
  'fast-check-lives-in-tests': ['gateway/planted-check.ts', `export { assert } from 'fast-check'`],
  'cedar-has-one-home': [
    'gateway/planted-cedar.ts',
    `export * from '@cedar-policy/cedar-wasm/nodejs'`,
  ],
  'sqlite-has-one-home': [
    'cli/planted-sqlite.ts',
    `import Database from 'better-sqlite3'\nexport const a = Database`,
  ],
  'postgres-has-one-home': [
    'adapters/uses/planted-postgres.ts',
    `import postgres from 'postgres'\nexport const a = postgres`,
  ],
  'no-orphans': ['gateway/planted-orphan.ts', `export const a = 1`],
  'declared-deps-only': ['cli/planted-package.ts', `export { isMatch } from 'picomatch'`],
}

interface Cruised {
  readonly exit: number | null
  readonly modules: number
  /** `rule: file`, for each violation. */
  readonly violations: readonly string[]
}

/** What .dependency-cruiser.mjs forbids. */
async function rules(): Promise<readonly { readonly name: string }[]> {
  const config = await import(new URL('../../.dependency-cruiser.mjs', import.meta.url).href)
  return config.default.forbidden
}

/** As `npm run check` calls it: other forms of its report always end with 0. */
function cruise(folder: string): Cruised {
  const { exit, stdout } = runPlain(
    [binary('depcruise'), '--config', '.dependency-cruiser.mjs', ...FOLDERS],
    { cwd: folder },
  )
  return {
    exit,
    modules: Number(/(\d+) modules/.exec(stdout)?.[1] ?? 0),
    violations: [...stdout.matchAll(/^\s*error ([\w-]+: \S+)/gm)].map(([, found = '']) => found),
  }
}

await t.test('the tree as it is keeps every rule, and all of it was looked at', async (t) => {
  const { exit, modules, violations } = cruise(ROOT)
  t.equal(exit, 0)
  t.same(violations, [])
  t.ok(modules > 300, `${modules} modules`)
})

await t.test('each rule has a violation planted, and finds it', async (t) => {
  t.same(
    Object.keys(PLANTED),
    (await rules()).map(({ name }) => name),
  )
  const copy = copyTree(t, FOLDERS)
  const plant = (file: string, source: string) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), `${source}\n`)
  }
  plant('policy/planted-further.ts', `export { a } from './planted-cycle.ts'`)
  for (const [file, source] of Object.values(PLANTED)) plant(file, source)
  const { exit, violations } = cruise(copy)
  t.not(exit, 0, 'the check fails')
  for (const [rule, [file]] of Object.entries(PLANTED))
    t.ok(violations.includes(`${rule}: ${file}`), rule)
})

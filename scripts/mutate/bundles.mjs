import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** The test files below a folder, by their places in it. */
export function testFiles(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).toSorted()
}

/**
 * Makes of each test file one script with all of ours that it imports, so that running the script anew is all that it
 * takes to have policy as it is just after loading. Packages are taken by `require`. Made once for a sandbox.
 */
export async function makeBundles(tests, out) {
  if (existsSync(join(out, 'done'))) return
  await build({
    entryPoints: testFiles(tests).map((file) => join(tests, file)),
    outdir: out,
    outbase: tests,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [FOR_RUNS],
  })
}

const FOR_RUNS = {
  name: 'for-runs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tap$/ }, () => ({ path: 'tap', namespace: 'run' }))
    onLoad({ filter: /^tap$/, namespace: 'run' }, () => ({
      contents: 'export default globalThis.mutationTest; export const t = globalThis.mutationTest',
    }))
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      // Imports are hoisted: this runs when all is loaded, before the first line of the test.
      const loaded = path.endsWith('.test.ts') ? 'globalThis.__stryker__.loaded();' : ''
      const url = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: loaded + text.replaceAll('import.meta.url', url) }
    })
  },
}

/** The text of a bundle. */
export function bundleText(out, file) {
  return readFileSync(join(out, file.replace(/\.ts$/, '.js')), 'utf8')
}

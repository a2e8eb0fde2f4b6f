/**
 * Lets Node run the tests and all that they import as TypeScript files, with their own addresses, from what `tsc -b` has made of
 * them in dist/: starting a file costs about half of what it costs to translate it (docs/decisions/010-compiled-tests.md). What has
 * changed since then is translated.
 */
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
// Hooks do not reach threads on Node 20: these run the compiled files themselves (adapters/threads/start.ts).
const ROOT = new URL('../../', import.meta.url).href
Reflect.set(
  globalThis,
  Symbol.for('narrowgate.compiled'),
  (url) => `${ROOT}dist/${url.slice(ROOT.length).replace(/\.ts$/, '.js')}`,
)

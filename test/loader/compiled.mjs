/**
 * Lets Node run the tests and all that they import as TypeScript files, with their own addresses, from what `tsc -b` has made of
 * them in dist/: starting a file costs about half of what it costs to translate it (docs/decisions/010-compiled-tests.md). What has
 * changed since then is translated.
 */
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
// Threads are not reached by it on Node 20: they register it themselves (adapters/threads/start.ts).
Reflect.set(globalThis, Symbol.for('narrowgate.loader'), import.meta.url)

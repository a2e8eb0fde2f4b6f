import { createRequire } from 'node:module'
import type { CedarModule, CedarReader } from '../../policy/index.ts'

const PACKAGE = '@cedar-policy/cedar-wasm/nodejs'

/**
 * Gives a new instance of the Cedar engine at each call. The package keeps its WebAssembly instance as the state of
 * a CommonJS module, and an instance that met too many exceptions is dead for good: so the module is loaded anew.
 */
export function loadFreshCedar(): CedarModule & CedarReader {
  const require = createRequire(import.meta.url)
  delete require.cache[require.resolve(PACKAGE)]
  return require(PACKAGE) as CedarModule & CedarReader
}

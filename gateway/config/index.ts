export type * from './types.ts'
export {
  createConfigHolder,
  type ConfigHolder,
  type ReloadResult,
  type SnapshotLoaded,
} from './holder.ts'
export { loadConfig, parseConfig, type LoadOptions, type ParseOptions } from './load.ts'
export { expandPath } from './paths.ts'
export { printProblem } from './report.ts'
export { proxyPasswordName, resolveUpstream, type Resolvable } from './resolve.ts'
export { readSecrets, type SecretsRead } from './secrets.ts'

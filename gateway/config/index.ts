export type * from './types.ts'
export {
  createConfigHolder,
  type ConfigHolder,
  type ReloadResult,
  type SnapshotLoaded,
} from './holder.ts'
export { loadConfig, parseConfig } from './load.ts'
export { printProblem } from './report.ts'
export { proxyPasswordName, resolveUpstream } from './resolve.ts'
export { readSecrets } from './secrets.ts'

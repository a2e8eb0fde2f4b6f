export type * from './types.ts'
export {
  createConfigHolder,
  type ConfigHolder,
  type ReloadResult,
  type SnapshotLoaded,
} from './holder.ts'
export { loadConfig, parseConfig } from './load.ts'
export { LEDGER_BUCKET } from './check/buckets.ts'
export { modelRoute } from './check/models.ts'
export { printProblem } from './report.ts'
export { sectionOf, settingsOf, type Setting } from './settings.ts'
export { proxyPasswordName, resolveUpstream, routeTo } from './resolve.ts'
export {
  accessKeyIdName,
  bucketSecretName,
  exportSecretName,
  GRANTS_URL,
  LEDGER_URL,
  PERSONS_KEY,
  readSecrets,
  sessionTokenName,
} from './secrets.ts'

import type { SecretSource } from '../../../adapters/keys/port.ts'
import type { ConfigFiles } from '../files.ts'

/** Makes the source's file path absolute. */
export function buildSecret(source: SecretSource, files: ConfigFiles): SecretSource {
  return 'file' in source ? { file: files.expand(source.file) } : source
}

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Secret, SecretReader, SecretSource } from '../../../adapters/keys/port.ts'
import { parseConfig, type Config, type Problem } from '../../../gateway/config/index.ts'

export const HOME = '/home/somebody'

/** Reads a text that must be right. */
export function goodConfig(text: string, base = '/etc/narrowgate'): Config {
  const loaded = parseConfig(text, { base, env: { HOME } })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

/** Reads a text that must be wrong. */
export function badConfig(text: string, base = '/etc/narrowgate'): readonly Problem[] {
  const loaded = parseConfig(text, { base, env: { HOME } })
  if (loaded.ok) throw new Error('the configuration was taken')
  return loaded.problems
}

export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'narrowgate-config-'))
}

export function secretOf(name: string, value: string): Secret {
  const redacted = (): string => `${name} (redacted)`
  return { name, reveal: () => value, redacted, toJSON: redacted, toString: redacted }
}

/** Gives secrets of environment variables out of a table. */
export function readerOf(values: Readonly<Record<string, string>>): SecretReader {
  return {
    async read(name: string, source: SecretSource) {
      const variable = 'env' in source ? source.env : ''
      const value = values[variable]
      if (value === undefined) throw new Error(`the variable \`${variable}\` is not set`)
      return secretOf(name, value)
    },
  }
}

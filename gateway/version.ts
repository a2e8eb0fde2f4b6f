import { readFileSync } from 'node:fs'

/** The program's version, from the package it was installed with; the file lies one level deeper once compiled. */
export const VERSION: string = readVersion(['../package.json', '../../package.json'])

function readVersion(candidates: readonly string[]): string {
  for (const candidate of candidates) {
    try {
      const text = readFileSync(new URL(candidate, import.meta.url), 'utf8')
      const found = JSON.parse(text) as { readonly name?: string; readonly version?: string }
      if (found.name === 'narrowgate' && found.version !== undefined) return found.version
    } catch {
      // Not this one: the next candidate may be.
    }
  }
  return 'unknown'
}

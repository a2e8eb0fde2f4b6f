import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { describeFault } from './fault.ts'
import type { RawConfig } from './raw.ts'
import type { Problem } from './types.ts'

export interface Shaped {
  /** Of the type only as far as `misshapen` does not say otherwise. */
  readonly raw: RawConfig
  readonly problems: readonly Problem[]
  /** Paths whose value cannot be used. */
  readonly misshapen: readonly string[]
}

// Read, not imported: Node 20 warns on every start about an import of JSON.
const schema: unknown = JSON.parse(
  readFileSync(new URL('./narrowgate.schema.json', import.meta.url), 'utf8'),
)
const validate = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  verbose: true,
  // Every start compiles it to use it once: it is known to be a schema, and its code need not be short.
  validateSchema: false,
  code: { optimize: false },
}).compile<RawConfig>(schema as object)

/** Compares a value with the published schema, fills the defaults in, and tells all that is wrong. */
export function shape(value: unknown): Shaped {
  const raw: unknown = structuredClone(value)
  if (validate(raw)) return { raw, problems: [], misshapen: [] }
  const errors: readonly ErrorObject[] = validate.errors ?? []
  const faults = errors.map(describeFault)
  return {
    raw: (isMapping(raw) ? raw : {}) as RawConfig,
    problems: faults.map(({ path, got, repair }) => ({ path, got, repair })),
    // A key that is not known leaves its neighbours usable.
    misshapen: faults.filter((fault) => !fault.harmless).map((fault) => fault.path),
  }
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

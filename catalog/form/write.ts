import { isMembers, type Report } from '../check.ts'
import { WrittenNumber } from '../numbers.ts'
import type { ArgSchema } from '../tool.ts'
import { writtenJson } from '../written-json.ts'
import { encoded, scalarText } from '../written-text.ts'
import { areIndexes, DEEPEST, DELIMITERS, isBracketName } from './style.ts'

type Pair = readonly [name: string, value: string]

/** Writes arguments as the text of a form (`application/x-www-form-urlencoded`): the inverse of `parseFormBody`. */
export function writeForm(
  args: readonly (readonly [name: string, value: unknown])[],
  properties: Readonly<Record<string, ArgSchema>>,
  report: Report,
): string {
  return args
    .flatMap(([name, value]) => pairsOf({ name, value, schema: properties[name] }, report))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
}

interface Arg {
  readonly name: string
  readonly value: unknown
  readonly schema: ArgSchema | undefined
}

function pairsOf({ name, value, schema }: Arg, report: Report): readonly Pair[] {
  const path = `args.${name}`
  const style = schema?.style
  if (style === 'json') return [[name, writtenJson(value)]]
  if (style === 'deep') {
    if (schema?.type !== undefined && schema.type !== typeOf(value))
      report.malformed(path, value, `write one ${schema.type}`)
    return deepPairs({ name, value, path }, report, 1)
  }
  if (!Array.isArray(value)) return [[name, scalarText(path, value, report) ?? '']]
  if (value.length === 0) report.malformed(path, value, 'leave it out: a form has no empty lists')
  const texts = value.map((one) => scalarText(path, one, report) ?? '')
  const delimiter = style && DELIMITERS[style]
  if (delimiter === undefined) return texts.map((text) => [name, text])
  if (texts.some((text) => text.includes(delimiter)))
    report.malformed(path, value, `write elements without ${JSON.stringify(delimiter)}`)
  return [[name, texts.join(delimiter)]]
}

interface Nested {
  /** With its brackets. */
  readonly name: string
  readonly value: unknown
  readonly path: string
}

/** Of what a nested value may be; undefined for a scalar. */
function typeOf(value: unknown): 'array' | 'object' | undefined {
  if (Array.isArray(value)) return 'array'
  return isMembers(value) && !(value instanceof WrittenNumber) ? 'object' : undefined
}

function deepPairs({ name, value, path }: Nested, report: Report, depth: number): readonly Pair[] {
  if (value instanceof WrittenNumber || typeof value !== 'object' || value === null) {
    return [[name, scalarText(path, value, report) ?? '']]
  }
  const entries = Object.entries(value)
  const fault = faultOf(value, entries, depth)
  if (fault !== undefined) {
    report.malformed(path, value, fault)
    return []
  }
  return entries.flatMap(([key, member]) => {
    const inner = { name: `${name}[${key}]`, value: member, path: `${path}.${key}` }
    return deepPairs(inner, report, depth + 1)
  })
}

function faultOf(
  value: object,
  entries: readonly (readonly [string, unknown])[],
  depth: number,
): string | undefined {
  if (entries.length === 0) return 'leave it out: a form has no empty lists and objects'
  if (depth >= DEEPEST) return `write less than ${DEEPEST} levels`
  const names = entries.map(([name]) => name)
  if (!isMembers(value)) return undefined
  if (areIndexes(names)) return 'write a list: in a form it is the same'
  return names.every(isBracketName) ? undefined : 'write names that are not empty, without brackets'
}

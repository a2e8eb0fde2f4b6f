import type { ErrorObject } from 'ajv/dist/2020.js'
import { hideGot, showGot } from './got.ts'
import type { Problem } from './types.ts'

/** A problem of shape; a harmless one leaves the value at its path usable. */
export interface Fault extends Problem {
  readonly harmless: boolean
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: '`true` or `false`',
}

type Describe = (error: ErrorObject) => Problem

/** One row per keyword of the schema. What is not listed is told in the last row's words. */
const BY_KEYWORD: Readonly<Record<string, Describe>> = {
  additionalProperties: unknownKey,
  required: (error) => ({
    path: join(pathOf(error), String(error.params['missingProperty'])),
    got: 'nothing',
    repair: 'add it',
  }),
  type: (error) => at(error, typeRepair(error)),
  enum: (error) => at(error, enumRepair(error)),
  minimum: (error) => at(error, `write at least ${error.params['limit']}`),
  maximum: (error) => at(error, `write at most ${error.params['limit']}`),
  minLength: (error) => at(error, 'write a text that is not empty'),
  minItems: (error) => at(error, `list at least ${error.params['limit']}`),
  maxItems: (error) => at(error, `list at most ${error.params['limit']}`),
  uniqueItems: (error) => at(error, 'list each item once'),
  minProperties: (error) => at(error, `set one of: ${knownKeys(error).join(', ')}`),
  maxProperties: (error) => at(error, `keep one of: ${knownKeys(error).join(', ')}`),
}

/** Puts what ajv says into path, got and repair. */
export function describeFault(error: ErrorObject): Fault {
  const describe = BY_KEYWORD[error.keyword] ?? ((other) => at(other, exampleRepair(other)))
  return { ...describe(error), harmless: error.keyword === 'additionalProperties' }
}

function at(error: ErrorObject, repair: string): Problem {
  const show = error.parentSchema?.['writeOnly'] === true ? hideGot : showGot
  return { path: pathOf(error) || 'the file', got: show(error.data), repair }
}

function unknownKey(error: ErrorObject): Problem {
  const key = String(error.params['additionalProperty'])
  // Where a secret's source belongs, what is taken for a key may be the secret.
  const secret = error.parentSchema?.['writeOnly'] === true
  const shown = showGot(key)
  const visible = !secret && shown.startsWith('`')
  return {
    path: visible ? join(pathOf(error), key) : pathOf(error) || 'the file',
    got: visible ? `the unknown key ${shown}` : 'an unknown key (not shown)',
    repair: `remove it, or use one of: ${knownKeys(error).join(', ')}`,
  }
}

function enumRepair(error: ErrorObject): string {
  const allowed = (error.params['allowedValues'] as readonly string[]).map(
    (value) => `\`${value}\``,
  )
  const repair = `write ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}`
  return pathOf(error).endsWith('.driver')
    ? `it is not available in this version: ${repair}`
    : repair
}

function typeRepair(error: ErrorObject): string {
  const type = String(error.params['type'])
  const repair = `write ${TYPE_WORDS[type] ?? type}`
  return type === 'string' && exampleOf(error) !== undefined
    ? `${repair} like \`${exampleOf(error)}\``
    : repair
}

function exampleRepair(error: ErrorObject): string {
  const example = exampleOf(error)
  return example === undefined ? 'correct it' : `write it like \`${example}\``
}

function exampleOf(error: ErrorObject): string | undefined {
  const examples = error.parentSchema?.['examples'] as readonly unknown[] | undefined
  return examples === undefined ? undefined : String(examples[0])
}

function knownKeys(error: ErrorObject): readonly string[] {
  return Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
}

function pathOf(error: ErrorObject): string {
  const steps = error.instancePath.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(join, '')
}

/** `upstreams` and `0` make `upstreams[0]`, which and `hosts` make `upstreams[0].hosts`. */
function join(path: string, step: string): string {
  if (/^\d+$/.test(step)) return `${path}[${step}]`
  return path === '' ? step : `${path}.${step}`
}

import type { FastifySchemaCompiler } from 'fastify'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { Refusal, type RefusalReason } from '../refusal.ts'

const ajv = new Ajv2020({ allErrors: true, verbose: true })
const LONGEST_SHOWN = 80

/**
 * Compares the body of a request with its schema, unchanged: nothing is coerced, filled in or taken out. All that is
 * wrong is told at once; values are not shown, since tokens and keys come in here.
 */
export const compileBody: FastifySchemaCompiler<object> = ({ schema }) => {
  let compiled: ReturnType<typeof ajv.compile> | undefined
  return (body: unknown) => {
    // Few of the doors are used between a start and its end.
    const validate = (compiled ??= ajv.compile(schema))
    // A request without a body says nothing, as `{}` does.
    if (validate(body ?? {})) return { value: body ?? {} }
    return { error: refusalOf(validate.errors ?? []) }
  }
}

function refusalOf(errors: readonly ErrorObject[]): Refusal {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties')
  if (unknown.length > 0) return new Refusal('unknown_field', unknown.map(unknownField))
  return new Refusal('malformed_request', errors.map(wrongField))
}

function unknownField({ instancePath, params, parentSchema }: ErrorObject): RefusalReason {
  const name = String(params['additionalProperty']).slice(0, LONGEST_SHOWN)
  const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
  const repair = known.length === 0 ? 'send no body' : `use: ${known.join(', ')}`
  return { axis: `${pathOf(instancePath)}.${name}`, got: 'an unknown field', repair }
}

function wrongField({ instancePath, keyword, params, message }: ErrorObject): RefusalReason {
  const path = pathOf(instancePath)
  if (keyword === 'required')
    return { axis: `${path}.${params['missingProperty']}`, got: 'nothing', repair: 'send it' }
  return { axis: path, got: 'a value that does not fit', repair: `it ${message ?? 'must fit'}` }
}

/** `/lines/0` is `body.lines.0`. */
function pathOf(pointer: string): string {
  return `body${pointer.replaceAll('/', '.')}`
}

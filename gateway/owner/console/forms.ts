import type { FastifyInstance } from 'fastify'
import { refusal } from '../../refusal.ts'

/** A form as it was sent: each name once. */
export type Form = Readonly<Record<string, string>>

/** Forms are the only bodies that the console takes. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => readForm(body),
  )
}

function readForm(body: string): Form {
  const pairs = [...new URLSearchParams(body)]
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return Object.fromEntries(pairs)
  const repair = 'send it once'
  throw refusal('malformed_request', twice.slice(0, 80), { got: 'several values', repair })
}

/** The text of a field, as a schema: one of these, or any. */
export function fieldOf(pattern?: string): object {
  return pattern === undefined ? { type: 'string' } : { type: 'string', pattern }
}

/** What a form may hold besides the word that it was shown here; any other name is refused. */
export function formOf(
  fields: Readonly<Record<string, object>>,
  patterns: Readonly<Record<string, object>> = {},
): object {
  return {
    type: 'object',
    additionalProperties: false,
    properties: { csrf: fieldOf(), ...fields },
    patternProperties: patterns,
  }
}

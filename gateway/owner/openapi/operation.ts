import { ERRORS, type ErrorCode } from '../../errors.ts'
import { BODIES } from './bodies.ts'
import type { SCHEMAS } from './schemas.ts'

/** One operation in few words; `operation` makes the whole of it. */
interface OperationParts {
  readonly summary: string
  /** Of the JSON body that it takes. */
  readonly body?: keyof typeof BODIES
  /** Takes lines in place of JSON. */
  readonly lines?: true
  /** Takes any bytes. */
  readonly bytes?: true
  /** Of the JSON that it answers with. */
  readonly answer: keyof typeof SCHEMAS | 'text' | 'feed' | 'schema' | 'bytes' | 'nothing'
  /** Also answers with lines of JSON or a table, where the question says so. */
  readonly tables?: true
  /** 200 by default. */
  readonly status?: 201 | 204
  /** Parameters of the query string: name, and what it means. */
  readonly query?: Readonly<Record<string, string>>
  /** Refusals besides those of every owner door. */
  readonly refusals?: readonly ErrorCode[]
  /** Needs no owner key on this very machine. */
  readonly open?: true
}

/** An Operation Object (OpenAPI 3.1, 4.8.10), apart from its path's parameters. */
export interface Operation {
  readonly summary: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
  readonly security?: readonly object[]
}

const OF_EVERY_DOOR: readonly ErrorCode[] = [
  'owner_key_missing',
  'owner_key_wrong',
  'malformed_request',
  'authority_mismatch',
  'rate_limited',
  'internal_error',
]

export function operation(parts: OperationParts): Operation {
  const { summary, body, lines, bytes, answer, status = 200, query, refusals = [], open } = parts
  const done = parts.tables === undefined ? answered(answer) : withTables(answered(answer))
  const codes = [...OF_EVERY_DOOR, ...(body === undefined ? [] : BODY_CODES), ...refusals]
  return {
    summary,
    ...(query === undefined ? {} : { parameters: Object.entries(query).map(queryParameter) }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    ...(lines === undefined ? {} : { requestBody: LINES }),
    ...(bytes === undefined ? {} : { requestBody: { content: BYTES } }),
    responses: { [status]: done, ...refused(codes) },
    ...(open === undefined ? {} : { security: [{}] }),
  }
}

const BODY_CODES: readonly ErrorCode[] = ['unknown_field']

function queryParameter([name, description]: readonly [string, string]): object {
  return { name, in: 'query', required: false, description, schema: { type: 'string' } }
}

function requestBody(name: keyof typeof BODIES): object {
  const required = 'required' in BODIES[name]
  const schema = { $ref: `#/components/schemas/${name}Body` }
  return { required, content: { 'application/json': { schema } } }
}

const LINES = {
  required: true,
  content: { 'application/x-ndjson': { schema: { type: 'string' } } },
}

/** Of any type; binary content has no schema (OpenAPI 3.1, 4.8.14.1). */
const BYTES = { '*/*': {} }

const FEED = {
  'application/x-ndjson': { schema: { type: 'string' } },
  'text/event-stream': { schema: { type: 'string' } },
}

const TABLES = {
  'application/x-ndjson': { schema: { type: 'string' } },
  'text/csv': { schema: { type: 'string' } },
}

const JSON_SCHEMA = { 'application/schema+json': { schema: { type: 'object' } } }

interface Answered {
  readonly description: string
  readonly content?: object
}

function withTables({ description, content }: Answered): Answered {
  return { description, content: { ...content, ...TABLES } }
}

function answered(answer: OperationParts['answer']): Answered {
  if (answer === 'text')
    return { description: 'As text.', content: { 'text/plain': { schema: { type: 'string' } } } }
  if (answer === 'nothing') return { description: 'Done.' }
  if (answer === 'bytes') return { description: 'The bytes.', content: BYTES }
  if (answer === 'schema') return { description: 'A JSON Schema.', content: JSON_SCHEMA }
  if (answer === 'feed') return { description: 'A line or event for each item.', content: FEED }
  const schema = { $ref: `#/components/schemas/${answer}` }
  return { description: 'Done.', content: { 'application/json': { schema } } }
}

/** One response for each status, naming the codes that it stands for. */
function refused(codes: readonly ErrorCode[]): Readonly<Record<string, object>> {
  const byStatus = new Map<number, readonly ErrorCode[]>()
  for (const code of new Set(codes)) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const schema = { $ref: '#/components/schemas/Problem' }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      {
        description: `Refused: ${named.join(', ')}.`,
        content: { 'application/problem+json': { schema } },
      },
    ]),
  )
}

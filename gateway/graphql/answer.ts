import {
  execute,
  GraphQLError,
  parse,
  validate,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql'
import { createHandler, type Request, type Response } from 'graphql-http'
import { parseJsonBody, writtenJson } from '../../catalog/index.ts'
import type { Directory } from '../directory.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusal } from '../refusal.ts'
import { readBytes } from '../run/body.ts'
import type { Standing } from '../standing.ts'
import { getAllHeaders, getHeader } from '../wire/headers.ts'
import { overBounds } from './bounds.ts'
import { createCalls } from './calls.ts'
import type { CallContext } from './schema.ts'
import { createSchemas, type Schemas } from './schemas.ts'

/** Characters of a document, and tokens in it. */
const LONGEST = 262_144
const MOST_TOKENS = 20_000

/** One for each gateway. */
const made = new WeakMap<Directory, Schemas>()

/** Answers one request of GraphQL over HTTP. What was not run leaves a receipt too; what only looked at the schema leaves none. */
export async function answerDocument(
  knock: Knock,
  standing: Standing,
  around: DoorAround,
): Promise<Reply> {
  const request = await requestOf(knock, around)
  const rows = around.callable(standing, knock.door)
  const schema = schemasOf(around.directory).of(rows, around.directory.tools())
  let result: ExecutionResult | undefined
  const handle = createHandler<undefined, undefined, CallContext & Record<PropertyKey, unknown>>({
    schema,
    context: { ...createCalls(knock, around) },
    parse: parseBounded,
    validate: (within, document, rules) => {
      const over = overBounds(document)
      return over.length > 0 ? over : validate(within, document, rules)
    },
    execute: async (args) => (result = await execute(args as ExecutionArgs)),
    formatError: withoutInner,
  })
  const response = await handle(request)
  return result === undefined
    ? unrun(response, knock, around)
    : replyOf([textOf(result), response[1]], around)
}

function schemasOf(directory: Directory): Schemas {
  const found = made.get(directory) ?? createSchemas()
  made.set(directory, found)
  return found
}

/** The request as the handler reads it. Numbers in its variables stay as they are written. */
async function requestOf(knock: Knock, around: DoorAround): Promise<Request<undefined, undefined>> {
  const { method, path, headers, body } = knock
  const bytes = body === null ? undefined : await readBytes(knock, around.limits)
  return {
    method,
    url: path,
    headers: { get: (name) => getAllHeaders(headers, name).join(', ') || null },
    body: () => {
      const read = bytes === undefined ? undefined : parseJsonBody(bytes)
      if (read?.ok !== true) throw new Error('no JSON')
      return read.value as Record<string, unknown>
    },
    raw: undefined,
    context: undefined,
  }
}

function parseBounded(source: Parameters<typeof parse>[0]): DocumentNode {
  const length = typeof source === 'string' ? source.length : source.body.length
  if (length > LONGEST)
    throw new GraphQLError(`the document is too long: at most ${LONGEST} characters`)
  return parse(source, { maxTokens: MOST_TOKENS })
}

/** The text of an error that is no GraphQL error may tell of inner things. */
function withoutInner(error: Readonly<GraphQLError | Error>): GraphQLError | Error {
  const inner = error instanceof GraphQLError ? error.originalError : undefined
  if (inner === undefined || inner === null || inner instanceof GraphQLError) return error
  return new GraphQLError('the gateway met a fault of its own')
}

/** As the handler writes it, but for numbers that no double holds. */
function textOf({ data, errors }: ExecutionResult): string {
  const shown = errors?.map((error) => withoutInner(error) as GraphQLError)
  return writtenJson({
    ...(shown !== undefined && { errors: shown.map((error) => error.toJSON()) }),
    ...(data !== undefined && { data }),
  })
}

function replyOf(
  [text, { status, headers = {} }]: Response,
  { headers: names, head }: DoorAround,
): Reply {
  return {
    status,
    headers: [
      ...Object.entries(headers).flat(),
      'cache-control',
      'no-store',
      names.head,
      head().hash,
    ],
    body: text === null ? null : Buffer.from(`${text}\n`),
  }
}

/** A request that came to no call is recorded as the refusal that it is. */
async function unrun(response: Response, knock: Knock, around: DoorAround): Promise<Reply> {
  const refused = refusal('malformed_request', 'query', {
    got: 'a request that was not run',
    repair: 'see `errors` in its answer; the schema tells what there is',
  })
  const recorded = await around.exchange({ ...knock, body: null, refused })
  const { headers, ...reply } = replyOf(response, around)
  const marks = [around.headers.refused, around.headers.receipt].flatMap((name) => {
    const value = getHeader(recorded.headers, name)
    return value === undefined ? [] : [name, value]
  })
  return { ...reply, headers: [...headers, ...marks] }
}

import { createReport, isMembers, type FieldProblem, type Report } from './check.ts'
import { coerce } from './coerce.ts'
import type { Envelope, ParsedEnvelope } from './envelope.ts'
import { freezeDeep } from './freeze.ts'
import { WrittenNumber } from './numbers.ts'
import type { Tool } from './tool.ts'
import type { Want } from './want/types.ts'
import { canonicalPath, type CanonicalPath } from './wire/path.ts'
import { parseQuery } from './wire/query.ts'
import { defaultPort, type Origin } from './wire/target.ts'

/** A plain HTTP request, and the row that it was matched to. */
export interface HttpCall {
  readonly tool: Tool
  /** The row's path parameters; none for a generic row. */
  readonly params?: Readonly<Record<string, string>>
  readonly origin: Origin
  /** Path and query, as they will be sent. */
  readonly path: string
  /** The body as it was parsed, JSON or the row's form; undefined where there is none, or it is neither. */
  readonly body?: unknown
  /** The value of a header field, for rows with arguments in one. */
  readonly header?: (name: string) => string | undefined
  /** What the caller wants back. */
  readonly want?: Want
}

type Args = Readonly<Record<string, unknown>>
type Entry = readonly [name: string, value: unknown]

/** Writes a plain HTTP request as the envelope that policy judges. */
export function envelopeOfHttp(call: HttpCall): ParsedEnvelope {
  const path = canonicalPath(call.path)
  if (!path.ok) return { ok: false, problems: [badPath(call.path, path.reason)] }
  const report = createReport()
  const args = call.tool.generic ? genericArgs(call.origin, path) : rowArgs(call, path, report)
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  const envelope: Envelope = { target: call.tool.name, op: 'call', args, ...call.want }
  return { ok: true, envelope: freezeDeep(envelope) }
}

function badPath(got: string, reason: string): FieldProblem {
  return { code: 'malformed_request', path: 'path', got, repair: `correct the path: ${reason}` }
}

function genericArgs({ scheme, host, port }: Origin, path: CanonicalPath): Args {
  const name = host.includes(':') ? `[${host}]` : host
  const suffix = port === defaultPort(scheme) ? '' : `:${port}`
  return {
    host,
    port,
    url_path: path.pathname,
    query: path.query === undefined ? {} : parseQuery(path.query),
    url: `${scheme}://${name}${suffix}${path.path}`,
  }
}

function rowArgs(call: HttpCall, path: CanonicalPath, report: Report): Args {
  const { properties } = call.tool.args
  const coerced = ([name, text]: readonly [string, string | readonly string[]]): Entry => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, coerce(text, schema, { path: `args.${name}`, report })]
  }
  const args = new Map<string, unknown>()
  const take = ([name, value]: Entry) => {
    // Which of two would count is the upstream's secret, so that policy cannot judge it.
    if (args.has(name) && !isSame(args.get(name), value)) {
      report.malformed(`args.${name}`, value, 'send the argument in one place')
    }
    args.set(name, value)
  }
  const takeTexts = (texts: readonly (readonly [string, string | readonly string[]])[]) => {
    for (const text of texts) take(coerced(text))
  }
  if (call.params !== undefined) takeTexts(Object.entries(call.params))
  if (path.query !== undefined) takeTexts(Object.entries(parseQuery(path.query)))
  takeTexts(headerTexts(call))
  for (const entry of bodyEntries(call)) take(entry)
  return Object.fromEntries(args)
}

function headerTexts({ tool, header }: HttpCall): readonly (readonly [string, string])[] {
  if (header === undefined) return []
  return Object.entries(tool.args.properties).flatMap(([name, schema]) => {
    const text = schema.in === 'header' ? header(name) : undefined
    return text === undefined ? [] : [[name, text] as const]
  })
}

/** The fields of an object; a body that is no object is the one argument `body`. */
function bodyEntries({ body, tool }: HttpCall): readonly Entry[] {
  if (body === undefined) return []
  return tool.body !== 'whole' && isMembers(body) && !(body instanceof WrittenNumber)
    ? Object.entries(body)
    : [['body', body]]
}

/** Whether two scalars are spelled alike, as `5` in a path and in a body are. */
function isSame(one: unknown, two: unknown): boolean {
  return isScalar(one) && isScalar(two) && String(one) === String(two)
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof WrittenNumber
}

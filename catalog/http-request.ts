import { createReport, shown, type FieldProblem, type Report } from './check.ts'
import { writeForm } from './form/write.ts'
import { envelopeOfHttp } from './http-envelope.ts'
import { filledSegment, templateSegments, valuesIn, type Segment } from './template.ts'
import type { ArgPlace, Tool } from './tool.ts'
import { canonicalPath } from './wire/path.ts'
import { absoluteTarget, defaultPort, type Origin } from './wire/target.ts'
import { writtenJson } from './written-json.ts'
import { encoded, scalarText } from './written-text.ts'

/** An envelope's call, written as the HTTP request that its row describes. */
export interface WrittenRequest {
  readonly method: string
  readonly origin: Origin
  /** Path and query. */
  readonly path: string
  /** Arguments that stand in header fields, as names and values in turn. */
  readonly headers: readonly string[]
  /** The text of the body, of the type that `bodyTypeOf` says; undefined where no argument stands in it. */
  readonly body: string | undefined
}

/** A request that was written, or all that is wrong with the arguments. */
export type WrittenCall =
  | { readonly ok: true; readonly request: WrittenRequest }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

type Args = Readonly<Record<string, unknown>>

/**
 * Writes the arguments of a call into the places that the row gives them: the inverse of `envelopeOfHttp`. What is judged is the
 * request that comes of it, so that nothing here has to be believed.
 */
export function requestOfCall(tool: Tool, args: Args): WrittenCall {
  const report = createReport()
  const request =
    tool.generic === true ? genericRequest(tool, args, report) : rowRequest(tool, args, report)
  return request === undefined || report.problems.length > 0
    ? { ok: false, problems: report.problems }
    : { ok: true, request }
}

function rowRequest(tool: Tool, args: Args, report: Report): WrittenRequest | undefined {
  checkNames(tool, args, report)
  if (tool.host.startsWith('*')) {
    report.unsupported('target', tool.name, 'call it by its address: the row serves many hosts')
    return undefined
  }
  const { properties } = tool.args
  const placed = (place: ArgPlace) =>
    Object.entries(args).filter(
      ([name]) => Object.hasOwn(properties, name) && properties[name]!.in === place,
    )
  const pathname = pathOf(tool, args, report)
  const query = placed('query').flatMap(([name, value]) => queryPairs(name, value, report))
  const headers = placed('header').flatMap(([name, value]) => [
    name,
    fieldText(name, value, report),
  ])
  return {
    method: tool.method,
    origin: { scheme: tool.scheme, host: tool.host, port: tool.port ?? defaultPort(tool.scheme) },
    path: query.length === 0 ? pathname : `${pathname}?${query.join('&')}`,
    headers,
    body: bodyOf(tool, args, report),
  }
}

function checkNames(tool: Tool, args: Args, report: Report): void {
  const { properties } = tool.args
  const known = Object.keys(properties)
  for (const name of Object.keys(args)) {
    if (Object.hasOwn(properties, name) || tool.body === 'open') continue
    if (known.length > 0) report.unknown(`args.${name}`, name, known)
    else report.malformed(`args.${name}`, args[name], 'leave it out: the tool takes no arguments')
  }
  for (const [name, { required, in: place }] of Object.entries(properties)) {
    // Those of the path are asked for where it is written.
    if (required === true && place !== 'path' && args[name] === undefined)
      report.malformed(`args.${name}`, undefined, 'write it: the tool needs it')
  }
}

function pathOf(tool: Tool, args: Args, report: Report): string {
  const segments = templateSegments(tool.path).map((segment) =>
    writtenSegment(segment, args, report),
  )
  const path = `/${segments.join('/')}`
  if (report.problems.length > 0) return path
  const read = canonicalPath(path)
  if (!read.ok) report.malformed('args', path, `write other path arguments: ${read.reason}`)
  return path
}

function writtenSegment(segment: Segment, args: Args, report: Report): string {
  const values = segment.names.map((name) => {
    const text = scalarText(`args.${name}`, args[name], report) ?? 'unknown'
    if (text === '') report.malformed(`args.${name}`, text, 'write a text that is not empty')
    return text === '' ? 'unknown' : text
  })
  const [name = '', ...more] = segment.names
  if (more.length > 0 && valuesIn(segment, filledSegment(segment, values)) === 'ambiguous') {
    const between = segment.texts.slice(1, -1).join(', ')
    report.malformed(`args.${name}`, values[0], `write the path arguments without ${between}`)
  }
  return filledSegment(segment, values.map(encoded))
}

function queryPairs(name: string, value: unknown, report: Report): readonly string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.map((one) => {
    const text = scalarText(`args.${name}`, one, report) ?? ''
    return `${encoded(name)}=${encoded(text)}`
  })
}

function bodyOf(tool: Tool, args: Args, report: Report): string | undefined {
  const { properties } = tool.args
  const fields = Object.entries(args).filter(
    ([name]) => !Object.hasOwn(properties, name) || properties[name]!.in === 'body',
  )
  if (fields.length === 0) return undefined
  if (tool.body === 'form') return writeForm(fields, properties, report)
  return writtenJson(tool.body === 'whole' ? args['body'] : Object.fromEntries(fields))
}

/** The media type in which a row's body is written. */
export function bodyTypeOf({ body }: Tool): string {
  return body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
}

const FIELD_TEXT = /^[\x20-\x7e]*$/

function fieldText(name: string, value: unknown, report: Report): string {
  const text = scalarText(`args.${name}`, value, report) ?? ''
  if (!FIELD_TEXT.test(text) || text !== text.trim())
    report.malformed(`args.${name}`, value, 'write visible ASCII characters on one line')
  return text
}

/** A generic call is written as its `url`; what it says besides has to agree with it. */
function genericRequest(tool: Tool, args: Args, report: Report): WrittenRequest | undefined {
  const known = Object.keys(tool.args.properties)
  for (const name of Object.keys(args))
    if (!known.includes(name)) report.unknown(`args.${name}`, name, known)
  const { url } = args
  if (typeof url !== 'string') {
    report.malformed('args.url', url, 'write the whole address, such as https://api.example.com/v1')
    return undefined
  }
  const target = absoluteTarget(url)
  if (!target.ok) {
    report.malformed('args.url', url, `correct it: ${target.reason}`)
    return undefined
  }
  const { scheme, host, port, path } = target
  const origin = { scheme, host, port }
  checkAgreed(args, { tool, origin, path }, report)
  return { method: tool.method, origin, path, headers: [], body: undefined }
}

interface Generic {
  readonly tool: Tool
  readonly origin: Origin
  readonly path: string
}

function checkAgreed(args: Args, generic: Generic, report: Report): void {
  const read = envelopeOfHttp(generic)
  if (!read.ok) return
  for (const [name, value] of Object.entries(args)) {
    const said = read.envelope.args?.[name]
    if (name === 'url' || writtenJson(said) === writtenJson(value)) continue
    report.malformed(`args.${name}`, value, `leave it out: the url says ${shown(said)}`)
  }
}

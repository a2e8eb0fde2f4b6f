import {
  absoluteTarget,
  writtenJson,
  type FieldProblem,
  type WrittenRequest,
} from '../../catalog/index.ts'
import { isFieldName, isFieldValue, isMethod } from '../wire/sendable.ts'

/** An HTTP request that is sent as it is written. */
export type HttpForm = WrittenRequest

type Members = Readonly<Record<string, unknown>>

type ReadForm =
  | { readonly ok: true; readonly form: HttpForm }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

const KNOWN = ['url', 'method', 'headers', 'body']

/** Reads `{url, method, headers, body}`: `GET` where no method is written; a body that is no text goes as JSON. */
export function readHttpForm(form: Members): ReadForm {
  const { url, method = 'GET', headers = {}, body } = form
  const target = typeof url === 'string' ? absoluteTarget(url) : undefined
  const fields = fieldsOf(headers)
  const isWhole = strangersIn(form).length === 0 && isMethod(method)
  if (target?.ok !== true || fields === undefined || !isWhole)
    return { ok: false, problems: problemsOf(form) }
  const { scheme, host, port, path } = target
  const common = { method, origin: { scheme, host, port }, path }
  const isText = typeof body === 'string' || body === undefined
  return {
    ok: true,
    form: isText
      ? { ...common, headers: fields, body }
      : { ...common, headers: withJsonType(fields), body: writtenJson(body) },
  }
}

function problemsOf(form: Members): readonly FieldProblem[] {
  const problems: FieldProblem[] = strangersIn(form).map((name) => ({
    code: 'unknown_field',
    path: name.slice(0, 80),
    got: 'an unknown field',
    repair: `use key, ${KNOWN.join(', ')}`,
  }))
  const bad = (path: string, got: string, repair: string) =>
    void problems.push({ code: 'malformed_request', path, got, repair })
  const { url, method = 'GET', headers = {} } = form
  const target = typeof url === 'string' ? absoluteTarget(url) : undefined
  if (target?.ok !== true)
    bad('url', target?.reason ?? 'no text', 'write an absolute http or https URL')
  if (!isMethod(method)) bad('method', 'no method', 'write a method in upper case, such as GET')
  if (fieldsOf(headers) === undefined)
    bad('headers', 'what cannot be sent', 'write an object of names and texts, each on one line')
  return problems
}

function strangersIn(form: Members): readonly string[] {
  return Object.keys(form).filter((name) => !KNOWN.includes(name))
}

/** Fields of the connection are the gateway's own to write. */
const NOT_TAKEN = ['host', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade']

function fieldsOf(headers: unknown): readonly string[] | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return undefined
  const fields = Object.entries(headers)
  return fields.every(([name, value]) => isField(name, value))
    ? (fields.flat() as readonly string[])
    : undefined
}

function isField(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || NOT_TAKEN.includes(name.toLowerCase())) return false
  return isFieldName(name) && isFieldValue(name, value)
}

function withJsonType(fields: readonly string[]): readonly string[] {
  const typed = fields.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type')
  return typed ? fields : [...fields, 'content-type', 'application/json']
}

import { isMembers, type Members } from '../../check.ts'
import type { Body, Schema } from './types.ts'
import { membersOf, textOf } from './values.ts'

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i
const MULTIPART_TYPE = /^multipart\//i

/** The body of an operation, or why no body of it can be written; neither where it has none, or bytes of another kind. */
export interface ReadBody {
  readonly body?: Body
  readonly why?: string
}

/** Reads the `requestBody` of 3.x, or those parameters of 2.0 that make up the body, whose media types `consumes` names. */
export function bodyOf(
  requestBody: unknown,
  parameters: readonly Members[],
  consumes: readonly unknown[],
): ReadBody {
  if (isMembers(requestBody)) return newBody(requestBody)
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData')
  return fields.length > 0 ? oldForm(fields, consumes) : oldBody(parameters)
}

/** JSON where it is offered, else a form. */
function newBody(requestBody: Members): ReadBody {
  const medias = Object.entries(membersOf(requestBody['content']))
  const required = requestBody['required'] === true
  const of = (types: RegExp) => medias.find(([type]) => types.test(type))?.[1]
  const [json, form] = [of(JSON_TYPE), of(FORM_TYPE)]
  const media = json ?? form
  if (isMembers(media)) {
    const schema = membersOf(media['schema'])
    const encoding = membersOf(media['encoding'])
    return { body: { media: media === json ? 'json' : 'form', schema, required, encoding } }
  }
  return of(MULTIPART_TYPE) === undefined ? {} : { why: MULTIPART }
}

const MULTIPART = 'its body is multipart: no arguments are written as one'

function oldBody(parameters: readonly Members[]): ReadBody {
  const body = parameters.find((parameter) => parameter['in'] === 'body')
  if (body === undefined) return {}
  const schema = membersOf(body['schema'])
  return { body: { media: 'json', schema, required: body['required'] === true, encoding: {} } }
}

function oldForm(fields: readonly Members[], consumes: readonly unknown[]): ReadBody {
  const takes = (types: RegExp) => consumes.some((type) => types.test(textOf(type) ?? ''))
  const isMultipart = takes(MULTIPART_TYPE) && !takes(FORM_TYPE)
  if (isMultipart || fields.some(({ type }) => type === 'file')) return { why: MULTIPART }
  const named = fields.filter(({ name }) => typeof name === 'string')
  const properties = Object.fromEntries(named.map((field) => [field['name'], field]))
  const required = named.flatMap((field) => (field['required'] === true ? [field['name']] : []))
  const encoding = Object.fromEntries(
    named.map(({ name, collectionFormat }) => [name, oldEncoding(collectionFormat)]),
  )
  const schema = { type: 'object', properties, required }
  return { body: { media: 'form', schema, required: true, encoding } }
}

/** What 2.0 says of a list, in the words of 3.x; `tab` has none there. */
function oldEncoding(format: unknown): Schema {
  switch (format) {
    case 'multi':
      return { style: 'form' }
    case 'ssv':
      return { style: 'spaceDelimited' }
    case 'tsv':
      return { style: 'tabDelimited' }
    case 'pipes':
      return { style: 'pipeDelimited' }
    default:
      return { style: 'form', explode: false }
  }
}

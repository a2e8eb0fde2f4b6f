import { isMembers } from '../../check.ts'
import type { ArgStyle, ArgType } from '../../tool.ts'
import type { Schema } from './types.ts'
import { membersOf, textOf } from './values.ts'

/** How a field stands in a form, or why that is not known. */
export type Styled = { readonly style?: ArgStyle } | { readonly why: string }

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i

const LIST_STYLES: Readonly<Record<string, ArgStyle>> = {
  spaceDelimited: 'space',
  tabDelimited: 'tab',
  pipeDelimited: 'pipe',
  deepObject: 'deep',
}

/** The style of a form's field, by its type and what the document says of its encoding. */
export function styleOf(type: ArgType | undefined, schema: Schema, encoding: unknown): Styled {
  const said = membersOf(encoding)
  const style = textOf(said['style'])
  const media = style === undefined ? textOf(said['contentType']) : undefined
  if (media !== undefined && JSON_TYPE.test(media) && isNested(type)) return { style: 'json' }
  if (type === 'object') {
    return style === 'deepObject'
      ? { style: 'deep' }
      : { why: 'the document does not say how an object stands in a form' }
  }
  if (type === 'array') return styleOfList(schema, style, said['explode'])
  return type === undefined && style === 'deepObject' ? { style: 'deep' } : {}
}

function isNested(type: ArgType | undefined): boolean {
  return type === undefined || type === 'object' || type === 'array'
}

function styleOfList(schema: Schema, style: string | undefined, explode: unknown): Styled {
  const items = isMembers(schema['items']) ? schema['items']['type'] : undefined
  const named = style === undefined ? undefined : LIST_STYLES[style]
  if (named === 'deep') return { style: named }
  if (items === 'object' || items === 'array')
    return { why: 'the document does not say how a list of them stands in a form' }
  // `explode` is false by default in every style but that of forms (OpenAPI 3.1, 4.8.15.1).
  if (named !== undefined) return explode === true ? {} : { style: named }
  return explode === false ? { style: 'comma' } : {}
}

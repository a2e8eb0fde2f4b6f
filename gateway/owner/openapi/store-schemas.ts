import { count, listOf, orNull, shape, text, time } from './shapes.ts'

const object = {
  key: text,
  size: { ...count, description: 'Bytes.' },
  etag: text,
  version: text,
  uploaded: time,
}

/** Shapes of what the doors of the store answer with. */
export const STORE_SCHEMAS = {
  Objects: shape({
    objects: listOf(
      shape(
        {
          ...object,
          http_metadata: { type: 'object' },
          custom_metadata: { type: 'object', additionalProperties: text },
          body: { type: 'string', contentEncoding: 'base64' },
        },
        ['http_metadata', 'custom_metadata', 'body'],
      ),
    ),
    prefixes: listOf(text),
    next: { ...orNull(text), description: 'For `cursor`; null at the end.' },
  }),
  Object: shape({
    ...object,
    checksums: { type: 'object', additionalProperties: text, description: 'Lower-case hex.' },
  }),
} as const

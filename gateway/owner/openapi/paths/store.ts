import { LIST_PARAMETERS } from '../../../store/list.ts'
import { operation, type Operation } from '../operation.ts'

const CONDITIONS = {
  'If-Match': 'Only an object that has one of these etags, else 412; `*` is any object',
  'If-None-Match':
    'Only an object that has none of these etags, else 304, or 412 for a write; `*` is any object',
  'If-Modified-Since': 'Only an object that was stored after this second',
  'If-Unmodified-Since': 'Only an object that was not stored after this second, else 412',
}

const READ_FIELDS = {
  ...CONDITIONS,
  Range: 'One part of the bytes; where several are asked for the whole comes',
  'If-Range': 'The part only of an object with this etag or date, else the whole',
}

const WRITE_FIELDS = {
  ...CONDITIONS,
  'Content-MD5': 'The MD5 of the body in base64, which it is compared with',
}

const PARTS = {
  206: { description: 'The part that Range names.', content: { '*/*': {} } },
  304: { description: 'The object is the one that the asker has.' },
}

/** With the fields of a request that mean something to it, and answers that follow from them. */
function withFields(
  made: Operation,
  fields: Readonly<Record<string, string>>,
  responses: Operation['responses'] = {},
): Operation {
  const parameters = Object.entries(fields).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return { ...made, parameters, responses: { ...made.responses, ...responses } }
}

export const STORE_PATHS = {
  '/api/store/{bucket}': {
    get: operation({
      summary: 'The objects of a bucket, in the order of their keys’ bytes',
      answer: 'Objects',
      query: LIST_PARAMETERS,
      refusals: ['unknown_field', 'not_found', 'store_unavailable'],
    }),
  },
  '/api/store/{bucket}/{key}': {
    get: withFields(
      operation({
        summary: 'An object, or the part of it that Range names; the key may hold slashes',
        answer: 'bytes',
        refusals: [
          'unknown_field',
          'not_found',
          'precondition_failed',
          'range_unsatisfiable',
          'store_unavailable',
        ],
      }),
      READ_FIELDS,
      PARTS,
    ),
    put: withFields(
      operation({
        summary: 'Store an object whole, under If-Match and If-None-Match',
        bytes: true,
        answer: 'Object',
        refusals: [
          'unknown_field',
          'read_only',
          'not_found',
          'precondition_failed',
          'too_large',
          'store_unavailable',
          'ledger_unavailable',
        ],
      }),
      WRITE_FIELDS,
    ),
    delete: operation({
      summary: 'Delete an object, where there is one',
      answer: 'nothing',
      status: 204,
      refusals: [
        'unknown_field',
        'not_supported',
        'read_only',
        'not_found',
        'store_unavailable',
        'ledger_unavailable',
      ],
    }),
  },
} as const

import { LIST_PARAMETERS } from '../../../store/list.ts'
import { operation } from '../operation.ts'

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
    get: operation({
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
    put: operation({
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

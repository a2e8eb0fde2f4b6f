import { operation } from '../operation.ts'

export const PERSON_PATHS = {
  '/api/persons': {
    get: operation({ summary: 'All persons, with the names of their keys', answer: 'Persons' }),
    post: operation({
      summary: 'Make a person',
      body: 'Person',
      answer: 'Person',
      status: 201,
      refusals: ['id_taken', 'ledger_unavailable'],
    }),
  },
  '/api/persons/{id}/session': {
    post: operation({
      summary: 'Sign a person in',
      body: 'Session',
      answer: 'Session',
      status: 201,
      refusals: ['not_found', 'ledger_unavailable'],
    }),
  },
  '/api/persons/{id}/keys/{name}': {
    put: operation({
      summary: 'Store a person’s own upstream key',
      body: 'PersonKey',
      answer: 'StoredKey',
      refusals: ['not_found', 'not_supported', 'ledger_unavailable'],
    }),
  },
} as const

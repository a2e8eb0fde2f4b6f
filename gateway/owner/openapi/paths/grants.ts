import { operation } from '../operation.ts'

export const GRANT_PATHS = {
  '/api/grants': {
    get: operation({ summary: 'All grants, the most recently minted first', answer: 'Grants' }),
    post: operation({
      summary: 'Make a token; it is in the answer and nowhere else',
      body: 'Mint',
      answer: 'Minted',
      status: 201,
      refusals: ['id_taken'],
    }),
  },
  '/api/grants/axes': {
    get: operation({ summary: 'What lines may say', answer: 'Axes' }),
  },
  '/api/grants/narrow': {
    post: operation({
      summary: 'Make a narrower token from one',
      body: 'Narrow',
      answer: 'Narrowed',
      refusals: ['ledger_unavailable'],
    }),
  },
  '/api/grants/{id}': {
    get: operation({
      summary: 'A grant with its chain, counters, children seen and latest receipts',
      answer: 'Grant',
      refusals: ['not_found'],
    }),
  },
  '/api/grants/{id}/revoke': {
    post: operation({
      summary: 'End a grant, or what was narrowed from one link on',
      body: 'Revoke',
      answer: 'Revoked',
    }),
  },
  '/api/grants/{id}/leash': {
    post: operation({
      summary: 'Put lines on a grant that was handed out',
      body: 'Leash',
      answer: 'Leashed',
    }),
  },
  '/api/grants/{id}/send': {
    post: operation({
      summary: 'Send a token’s link to its holder by the configured command',
      body: 'Send',
      answer: 'Sent',
      refusals: ['not_supported', 'send_failed', 'ledger_unavailable'],
    }),
  },
} as const

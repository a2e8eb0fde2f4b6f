import { operation } from '../operation.ts'

export const STATE_PATHS = {
  '/healthz': {
    get: operation({ summary: 'Whether the process lives', answer: 'Health', open: true }),
  },
  '/readyz': {
    get: operation({
      summary: 'Whether calls are let through',
      answer: 'Ready',
      refusals: ['not_ready'],
      open: true,
    }),
  },
  '/metrics': {
    get: operation({ summary: 'Figures for Prometheus', answer: 'text', open: true }),
  },
  '/api/status': {
    get: operation({ summary: 'How the gateway is doing', answer: 'Status' }),
  },
  '/api/openapi.json': {
    get: operation({ summary: 'This document', answer: 'OpenApi' }),
  },
  '/api/why': {
    post: operation({
      summary: 'The decision on a call, without the call',
      body: 'Why',
      answer: 'Why',
    }),
  },
  '/api/receipts': {
    get: operation({
      summary: 'Receipts, the latest first',
      answer: 'Receipts',
      query: {
        outcome: 'allowed, refused, failed, gone, unknown or open',
        tool: 'Name of the tool',
        task: 'A task, with those below it',
        grant: 'Id of the grant',
        code: 'Code of the refusal',
        host: 'Host of the upstream',
        since: 'Opened at or after this time (RFC 3339)',
        order: 'asc or desc',
        limit: '1 to 1000; 100 without it',
        after: 'Only behind this sequence number, as `next` names it',
      },
      refusals: ['unknown_field'],
    }),
  },
  '/api/ledger/feed': {
    get: operation({
      summary: 'Closed exchanges and events in an order that never changes',
      answer: 'feed',
      query: {
        after:
          'Only behind this position; 0 without it. An event stream’s `Last-Event-ID` goes before it',
        limit: 'At most so many items; all without it',
        follow:
          'Whether the answer goes on with what comes later; an event stream does unless `false`',
      },
      refusals: ['unknown_field', 'overloaded'],
    }),
  },
  '/api/ledger/ingest': {
    post: operation({
      summary: 'Take in lines of another recorder’s log, a header of a segment first',
      lines: true,
      answer: 'Ingested',
      refusals: [
        'chain_gap',
        'chain_fork',
        'chain_mismatch',
        'id_taken',
        'too_large',
        'ledger_unavailable',
      ],
    }),
  },
  '/api/ledger/schema/receipt.json': {
    get: operation({ summary: 'The JSON Schema of receipts', answer: 'schema' }),
  },
  '/api/ledger/schema/event.json': {
    get: operation({ summary: 'The JSON Schema of events', answer: 'schema' }),
  },
  '/ledger/exchanges/{file}': {
    get: operation({
      summary: 'One receipt, the file is `<id>.json`; or its recorded answer, cut down again',
      answer: 'Exchange',
      tables: true,
      query: { want: 'What is wanted of the recorded answer, as in the header `want`' },
      refusals: [
        'unknown_field',
        'not_found',
        'no_rows',
        'not_supported',
        'too_large',
        'upstream_invalid',
        'encoding_not_inspectable',
      ],
    }),
  },
} as const

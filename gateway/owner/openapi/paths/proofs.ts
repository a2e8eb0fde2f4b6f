import { operation } from '../operation.ts'

export const PROOF_PATHS = {
  '/api/ledger/checkpoint': {
    get: operation({
      summary: 'A signed head of the log (C2SP tlog-checkpoint): the latest, or one of a size',
      answer: 'text',
      query: { size: 'How many records it covers; without it the latest that was signed' },
      refusals: ['unknown_field', 'not_found', 'ledger_damaged'],
    }),
  },
  '/api/ledger/retain': {
    post: operation({
      summary: 'Erases kept bodies by age, each an event; their receipts stay',
      body: 'Retain',
      answer: 'Retained',
      refusals: ['ledger_unavailable'],
    }),
  },
  '/api/ledger/proof/inclusion': {
    get: operation({
      summary: 'Proof that the records of a receipt are in the tree of a signed head (RFC 6962)',
      answer: 'InclusionProof',
      query: { receipt: 'Id of the receipt; required' },
      refusals: ['unknown_field', 'not_found', 'ledger_damaged'],
    }),
  },
  '/api/ledger/proof/consistency': {
    get: operation({
      summary: 'Proof that the log only grew between two sizes (RFC 6962)',
      answer: 'ConsistencyProof',
      query: {
        from: 'Records of the older head; required',
        to: 'Records of the newer head; without it those of the latest',
      },
      refusals: ['unknown_field', 'not_found', 'ledger_damaged'],
    }),
  },
} as const

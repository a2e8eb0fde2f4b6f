import { count, listOf, orNull, shape, text } from './shapes.ts'

/** What a question to a view is answered with; which members there are follows from what was asked. */
const ledgerAnswer = {
  view: text,
  rows: listOf({ type: 'object' }),
  row: { ...orNull({ type: 'object' }), description: 'In place of rows, for `first`.' },
  figures: {
    anyOf: [{ type: 'object' }, listOf({ type: 'object' })],
    description: 'In place of rows; a list of groups where `by` made some.',
  },
  cursor: { type: 'string', description: 'Of this page.' },
  next: { ...orNull(text), description: 'For `cursor`; null at the end.' },
  seq: { ...count, description: 'The highest number of a receipt that the index had.' },
  lag: { ...count, description: 'Records that are durable and not in the answer yet.' },
} as const
const SOMETIMES = ['rows', 'row', 'figures', 'cursor', 'next'] as const

/** Shapes of answers to questions. */
export const VIEW_SCHEMAS = {
  LedgerAnswer: shape(ledgerAnswer, [...SOMETIMES]),
  PlainAnswer: shape(
    {
      understood: {
        type: 'object',
        description: 'The view and, in the envelope’s grammar, what was asked of it.',
      },
      not_understood: { ...listOf(text), description: 'Words that nothing was made of.' },
      ...ledgerAnswer,
    },
    [...SOMETIMES],
  ),
} as const

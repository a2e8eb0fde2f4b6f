/** What the ledger's index needs of the views: threads load this alone, and not the whole catalog. */

export type * from './types.ts'
export { EXCHANGE_FIELDS, VIEW_NAMES, VIEWS } from './fields.ts'
export { BUCKETS, keptText, keptTime } from './values.ts'

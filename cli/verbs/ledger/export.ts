import { EXIT } from '../../exit.ts'
import { PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { FILTERS, receiptQuery } from '../../receipt-query.ts'
import { defineVerb } from '../../verb.ts'

const FORMATS = ['ndjson', 'ocsf', 'csv', 'parquet'] as const

/** Writes receipts and events to a file or pipe, in the order of the feed. */
export const exportVerb = defineVerb({
  options: {
    ...PLACE,
    format: {
      type: 'string',
      choices: FORMATS,
      requiresArg: true,
      default: 'ndjson',
      describe: 'what to write',
    },
    since: FILTERS.since,
  },
  examples: [
    ['> ledger.ndjson', 'all that was closed, a line of JSON each'],
    ['--format parquet --since 7d > week.parquet', 'a week, as a table'],
  ],
  async run({ format, since, ...values }, terminal) {
    const place = await openExistingPlace(values, terminal)
    const nothing = { task: undefined, tool: undefined, outcome: undefined, grant: undefined }
    const { where } = receiptQuery({ ...nothing, since }, Date.now())
    await place.exportLedger({ format, since: where?.since }, (piece) => terminal.out.pour(piece))
    return EXIT.ok
  },
})

import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { catchUp, receiptTable } from '../../receipts.ts'
import { receiptQuery, FILTERS } from '../../receipt-query.ts'
import { defineVerb } from '../../verb.ts'

function limitOf(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit
  throw new Fault(EXIT.usage, `limit: got \`${text}\``, 'write a whole number from 1 to 1000')
}

/** Lists receipts, the latest first. */
export const list = defineVerb({
  options: {
    ...PLACE,
    ...FILTERS,
    limit: { type: 'string', requiresArg: true, default: '100', describe: 'how many: 1 to 1000' },
    ...JSON_OUTPUT,
  },
  examples: [
    ['--outcome refused --since 1h', 'what was refused in the last hour'],
    ['--task T-7 --json', 'a task and everything below it, as JSON'],
  ],
  async run(values, terminal) {
    const limit = limitOf(values.limit)
    const query = receiptQuery(values, Date.now())
    const place = await openExistingPlace(values, terminal)
    const receipts = await place.withIndex(async (index) => {
      await catchUp(index, terminal)
      return index.list({ ...query, limit })
    })
    if (values.json) terminal.out.line(JSON.stringify(receipts))
    else if (receipts.length === 0) terminal.err.line('no receipt matches')
    else terminal.out.write(receiptTable(receipts))
    return EXIT.ok
  },
})

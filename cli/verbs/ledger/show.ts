import { EXIT, Fault } from '../../exit.ts'
import { PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { catchUp } from '../../receipts.ts'
import { defineVerb } from '../../verb.ts'

/** Prints one receipt whole, as JSON. Exit 1 where there is none of this id. */
export const show = defineVerb({
  positionals: { id: { type: 'string', demandOption: true, describe: 'a receipt’s id' } },
  options: PLACE,
  examples: [['0199d2c4-…', 'everything that was recorded of one call']],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const receipt = await place.withIndex(async (index) => {
      await catchUp(index, terminal)
      return index.get(values.id)
    })
    if (receipt === undefined) {
      throw new Fault(
        EXIT.no,
        `receipt: there is no \`${values.id}\``,
        'narrowgate ledger list shows the ids',
      )
    }
    terminal.out.line(JSON.stringify(receipt, null, 2))
    return EXIT.ok
  },
})

import { askLedger, knownNames } from '../../../gateway/views/ask.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { catchUp } from '../../receipts.ts'
import { printable } from '../../table.ts'
import { defineVerb } from '../../verb.ts'
import { printAnswer } from '../../view-table.ts'

/** Answers a question in plain words, by rules; on stderr stands what it was taken for. */
export const ask = defineVerb({
  positionals: {
    question: { type: 'string', array: true, demandOption: true, describe: 'the question' },
  },
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [
    ['refused calls to github yesterday by task', 'groups with their counts'],
    ['10 slowest calls in the last 2 hours', 'rows'],
  ],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const cursors = await place.cursors()
    const asking = {
      question: values.question.join(' '),
      now: Date.now(),
      cursors,
      known: knownNames(place.config),
    }
    const answer = await place.withIndex(async (index) => {
      await catchUp(index, terminal)
      return askLedger(index, asking)
    })
    if (values.json) {
      terminal.out.line(JSON.stringify(answer))
      return EXIT.ok
    }
    const { understood, not_understood: unknown } = answer
    const { view, ...query } = understood
    terminal.err.line(printable(`understood as ${view} ${JSON.stringify(query)}`))
    if (unknown.length > 0) terminal.err.line(printable(`not understood: ${unknown.join(' ')}`))
    printAnswer(answer, undefined, terminal)
    return EXIT.ok
  },
})

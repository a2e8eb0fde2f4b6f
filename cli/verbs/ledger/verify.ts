import { resolve } from 'node:path'
import { verifyLedger } from '../../../gateway/offline.ts'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { defineVerb } from '../../verb.ts'

function headOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/.test(text)) return text
  throw new Fault(EXIT.usage, `head: got \`${text}\``, 'write the 64 hex digits of ledger-head')
}

/** Checks every hash of a log. Exit 1 where anything does not fit. */
export const verify = defineVerb({
  positionals: {
    folder: { type: 'string', describe: 'a folder of segments; the state’s own by default' },
  },
  options: {
    ...PLACE,
    head: {
      type: 'string',
      requiresArg: true,
      describe: 'the hash that the last record must have, from the answer header ledger-head',
    },
    ...JSON_OUTPUT,
  },
  examples: [
    ['', 'the log of this state'],
    ['./copy --head 9f2c…', 'a copy, against a head noted before: a cut end is seen too'],
  ],
  async run(values, terminal) {
    const head = headOf(values.head)
    const folder =
      values.folder === undefined
        ? (await openExistingPlace(values, terminal)).ledgerFolder
        : resolve(terminal.cwd, values.folder)
    const result = await verifyLedger(folder, head)
    if (values.json) {
      terminal.out.line(JSON.stringify(result))
    } else {
      const { out } = terminal
      for (const fault of result.faults) {
        out.line(
          `${out.bad('damage')} ${fault.file} record ${fault.record} at byte ${fault.offset}: ${fault.what}`,
        )
      }
      const verdict = result.sound ? out.good('verified') : out.bad('not verified')
      const { records, openIntents, head = 'none' } = result
      out.line(`${verdict}  ${records} records, ${openIntents.length} open, head ${head}`)
      if (result.verdict === 'torn tail') {
        out.line(
          out.warn('the last line is not whole: it is being written, or the next start cuts it'),
        )
      }
    }
    return result.sound ? EXIT.ok : EXIT.no
  },
})

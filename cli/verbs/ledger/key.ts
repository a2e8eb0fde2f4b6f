import { EXIT, Fault } from '../../exit.ts'
import { PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { defineVerb } from '../../verb.ts'

/** Prints the public half of the key that signs checkpoints, as a C2SP verifier key. */
export const key = defineVerb({
  options: PLACE,
  examples: [['> ledger.vkey', 'keep it where the ledger cannot reach it']],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const verifierKey = await place.ledgerKey()
    if (verifierKey === undefined)
      throw new Fault(
        EXIT.unreachable,
        `ledger key: there is none in \`${place.folder}\``,
        'start narrowgate serve once: it makes the key',
      )
    terminal.out.line(verifierKey)
    return EXIT.ok
  },
})

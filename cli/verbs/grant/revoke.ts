import { EXIT } from '../../exit.ts'
import { PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { defineVerb } from '../../verb.ts'

/** Ends a grant. A running gateway on the same state sees it within a second. */
export const revoke = defineVerb({
  positionals: {
    grant: {
      type: 'string',
      demandOption: true,
      describe: 'a grant’s id, or a link: everything made from that place on',
    },
  },
  options: PLACE,
  examples: [
    ['g_01J9Z8K2M4Q7', 'the grant and every token narrowed from it'],
    ['l4I_VMlWivmJCI3BVRiqEG', 'one link of a chain, as grant show prints it'],
  ],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const known = await place.withGrants(async (grants) => {
      const minted = await grants.get(values.grant)
      await grants.revoke(values.grant, 'grant revoke', Date.now())
      return minted !== undefined
    })
    terminal.err.line(`${terminal.err.good('revoked')} ${values.grant}`)
    if (!known) {
      terminal.err.line(
        '  no grant of this id was recorded here: it holds for a link, or a token minted elsewhere',
      )
    }
    return EXIT.ok
  },
})

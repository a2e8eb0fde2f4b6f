import { checkLeash, leashFull } from '../../../policy/index.ts'
import { EXIT } from '../../exit.ts'
import { PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { explainedLine } from '../../request.ts'
import { defineVerb } from '../../verb.ts'

/** Puts lines on a grant that was handed out. A running gateway on the same state sees them within a second. */
export const leash = defineVerb({
  positionals: {
    grant: { type: 'string', demandOption: true, describe: 'a grant’s id' },
    caveats: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: "lines such as 'tools = HTTP_GET'",
    },
  },
  options: PLACE,
  examples: [
    ["g_01J9Z8K2M4Q7 'tools = HTTP_GET'", 'from now on it only reads'],
    ["g_01J9Z8K2M4Q7 'uses <= 10'", 'ten more calls, whoever makes them'],
  ],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const { all, known } = await place.withGrants(async (grants) => {
      const minted = await grants.get(values.grant)
      const all = [...(minted?.leash ?? grants.leashOf(values.grant) ?? []), ...values.caveats]
      checkLeash(all)
      const by = { by: 'grant leash', now: Date.now() }
      if (!(await grants.leash(values.grant, values.caveats, by))) throw leashFull()
      return { all, known: minted !== undefined }
    })
    const width = Math.max(...all.map((line) => line.length))
    terminal.err.line(`${terminal.err.good('leashed')} ${values.grant}`)
    for (const line of all) terminal.err.line(`  ${explainedLine(line, width)}`)
    if (!known)
      terminal.err.line(
        '  no grant of this id was recorded here: it holds for a token minted elsewhere',
      )
    return EXIT.ok
  },
})

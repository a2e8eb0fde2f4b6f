import { narrowToken } from '../../../policy/index.ts'
import { EXIT } from '../../exit.ts'
import { readToken } from '../../stdin.ts'
import { defineVerb } from '../../verb.ts'

/** Appends lines to a token. It needs no state, no key and no gateway. */
export const narrow = defineVerb({
  positionals: {
    token: { type: 'string', demandOption: true, describe: 'a token, or - for stdin' },
    caveats: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: "lines such as 'uses <= 3'",
    },
  },
  options: {},
  examples: [
    ["- 'uses <= 3' 'tools = HTTP_GET' < token.txt", 'three GETs at most'],
    ["g1.… 'expires < 2027-01-01T00:00:00Z'", 'an earlier end'],
  ],
  async run(values, terminal) {
    const token = await readToken(values.token, terminal)
    terminal.out.line(narrowToken(token, values.caveats))
    return EXIT.ok
  },
})

import { FORMATS, formatVariables, type Format } from '../../sidecar/formats.ts'
import { gatewayAddress } from '../../sidecar/join.ts'
import { grantRun, proxyVariables } from '../../sidecar/prepare.ts'
import { withoutSecrets } from '../../sidecar/withheld.ts'
import { EXIT } from '../exit.ts'
import { GRANT, PLACE, TEMPLATE } from '../options.ts'
import { openExistingPlace } from '../place.ts'
import { grantRequest, withoutAxes } from '../request.ts'
import { readToken } from '../stdin.ts'
import { defineVerb } from '../verb.ts'

/** Prints the variables that `run` sets. The token stands in them: the output is a credential. */
export const env = defineVerb({
  options: {
    ...PLACE,
    ...GRANT,
    ...TEMPLATE,
    token: {
      type: 'string',
      requiresArg: true,
      describe: 'use this token, or - for stdin; one is minted from the run template by default',
    },
    gateway: {
      type: 'string',
      requiresArg: true,
      describe: 'http://host:port of the gateway as the program reaches it',
    },
    format: { type: 'string', choices: FORMATS, default: 'shell', describe: 'for which reader' },
  },
  examples: [
    ['', 'eval "$(narrowgate env)" puts this shell behind the gateway'],
    ['--token - --format compose < token.txt', 'for a service of docker compose'],
    ['--gateway http://10.0.0.5:3128 --format dockerfile', 'for another machine'],
  ],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const gateway = await gatewayAddress(place, values.gateway)
    const { env: own } = withoutSecrets(terminal.env, place.config)
    const asked = grantRequest(values, undefined)
    const without = withoutAxes(values.without)
    const token =
      values.token === undefined
        ? (await grantRun(place, { asked, without, by: 'env' })).token
        : await readToken(values.token, terminal)
    const variables = proxyVariables(place, { gateway, token, own })
    const format: Format = values.format
    terminal.out.write(formatVariables(variables, format))
    if (format === 'dockerfile' || format === 'compose') {
      terminal.err.line(
        `mount \`${place.folder}/trust\` read-only at the same path; the values hold a token, so keep them out of shared images`,
      )
    }
    return EXIT.ok
  },
})

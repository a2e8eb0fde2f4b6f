import { EXIT, Fault } from '../../exit.ts'
import { issueGrant } from '../../../sidecar/issue.ts'
import { grantLines, runTemplate } from '../../../sidecar/template.ts'
import { pathBearingRows } from '../../../sidecar/rows.ts'
import { GRANT, PLACE, TEMPLATE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { explainedLine, grantRequest, withoutAxes } from '../../request.ts'
import { defineVerb } from '../../verb.ts'

/** Makes a token; it is the last line of stdout, alone. */
export const mint = defineVerb({
  options: {
    ...PLACE,
    ...GRANT,
    ...TEMPLATE,
    'no-delegate': { type: 'boolean', describe: 'nobody can narrow the token further' },
    id: { type: 'string', requiresArg: true, describe: 'the grant’s id; one is made by default' },
    run: {
      type: 'boolean',
      default: false,
      describe: 'fill in the run template: tools, expires, uses, task, delegate = no',
    },
  },
  examples: [
    ["--tools 'HTTP_GET,GITHUB_*' --expires 2h --uses 100 --task T-1", 'a token for one task'],
    ["--tools 'HTTP_*' --arg 'HTTP_GET.host = api.github.com'", 'one host only'],
    ['--run', 'the lines that run gives its command'],
  ],
  async run(values, terminal) {
    const place = await openExistingPlace(values, terminal)
    const delegable = values['no-delegate'] === true ? false : undefined
    const asked = grantRequest(values, delegable)
    const without = withoutAxes(values.without)
    if (without.length > 0 && !values.run) {
      throw new Fault(EXIT.usage, 'without: it is a part of the run template', 'add --run')
    }
    const now = Date.now()
    const request = values.run
      ? runTemplate(asked, {
          without,
          pathBearing: pathBearingRows(place.config.catalog, asked.tools),
          now,
          random: Math.random,
        }).request
      : asked
    const lines = grantLines(request, now)
    const grant = await issueGrant(place, { id: values.id, lines, by: 'grant mint', now })
    const width = Math.max(0, ...lines.map((line) => line.length))
    terminal.err.line(`${terminal.err.good('minted')} ${terminal.err.bold(grant.id)}`)
    for (const line of lines) terminal.err.line(`  ${explainedLine(line, width)}`)
    if (grant.unrecorded !== undefined) {
      terminal.err.line(terminal.err.warn(`  not recorded: ${grant.unrecorded}`))
    }
    terminal.out.line(grant.token)
    return EXIT.ok
  },
})

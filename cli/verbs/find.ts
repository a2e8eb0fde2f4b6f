import { createResolver, type Found, type Tool } from '../../catalog/index.ts'
import { mayNameTool, parseCaveat, unsafeReadToken } from '../../policy/index.ts'
import { EXIT, Fault } from '../exit.ts'
import { JSON_OUTPUT, PLACE } from '../options.ts'
import { openPlace } from '../place.ts'
import { readToken } from '../stdin.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { defineVerb } from '../verb.ts'

const MOST = 1000

/** Asks the catalog of this configuration. Exit 1 where no tool is found. */
export const find = defineVerb({
  positionals: {
    question: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'what to do, in plain words, or the beginning of a name',
    },
  },
  options: {
    ...PLACE,
    token: {
      type: 'string',
      requiresArg: true,
      describe: 'only tools that this token grants; - for stdin',
    },
    limit: { type: 'number', default: 20, requiresArg: true, describe: 'tools at most; 1 to 1000' },
    ...JSON_OUTPUT,
  },
  examples: [
    ['how do I list the issues of a repo', 'the tools, and why each is one of them'],
    ['send a text message --token - < token.txt', 'only what the token grants'],
  ],
  async run(values, terminal) {
    const { limit, json, token } = values
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
      throw new Fault(EXIT.usage, `--limit: got \`${limit}\``, `write 1 to ${MOST}`)
    }
    const mayCall = token === undefined ? undefined : await grantedBy(token, terminal)
    const { config } = await openPlace(values, terminal)
    const found = createResolver(config.catalog, config.aliases).find(values.question.join(' '), {
      limit,
      ...(mayCall && { mayCall }),
    })
    const rows = found.map(({ row: { name, summary }, ...reason }) => ({
      name,
      summary,
      ...reason,
    }))
    if (json) terminal.out.line(JSON.stringify(rows))
    else if (found.length > 0) terminal.out.write(printed(found))
    else terminal.err.line(nothing(config.catalog.length))
    return found.length > 0 ? EXIT.ok : EXIT.no
  },
})

/** What the token says is taken as it is: the gateway is the one that proves it. */
async function grantedBy(text: string, terminal: Terminal): Promise<(tool: Tool) => boolean> {
  const { lines } = unsafeReadToken(await readToken(text, terminal))
  const caveats = lines.map(parseCaveat)
  return ({ name }) => mayNameTool(caveats, name)
}

function printed(found: readonly Found<Tool>[]): string {
  return table(
    ['TOOL', 'SCORE', 'WHY', 'SUMMARY'],
    found.map(({ row, score, matched_because: why }) => [
      row.name,
      String(score),
      why,
      row.summary,
    ]),
  )
}

function nothing(rows: number): string {
  return rows === 0
    ? 'the catalog has no rows: narrowgate catalog import makes some of an OpenAPI document'
    : `nothing of ${rows} rows: try fewer words, or the beginning of a name`
}

import {
  argsOfTexts,
  genericTool,
  type QueryArgs,
  type Tool,
  type Way,
} from '../../../catalog/index.ts'
import type { Config } from '../../../gateway/config/types.ts'
import { toolWays, wayNames } from '../../../gateway/ways.ts'
import { gatewayAddress } from '../../../sidecar/join.ts'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { pairsOf } from '../../pairs.ts'
import { openPlace } from '../../place.ts'
import { asking } from '../../refused.ts'
import { readToken } from '../../stdin.ts'
import type { Terminal } from '../../terminal.ts'
import { defineVerb } from '../../verb.ts'

/** Prints the texts by which a tool of this configuration is called. */
export const ways = defineVerb({
  positionals: {
    tool: { type: 'string', demandOption: true, describe: 'name of the tool' },
    args: { type: 'string', array: true, describe: 'arguments of the call: key=value' },
  },
  options: {
    ...PLACE,
    token: {
      type: 'string',
      requiresArg: true,
      describe: 'the token in the texts, or - for stdin; a variable stands there without it',
    },
    gateway: {
      type: 'string',
      requiresArg: true,
      describe: 'http://host:port of the gateway as the caller reaches it',
    },
    way: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'names of ways, commas between; all of them without it',
    },
    ...JSON_OUTPUT,
  },
  examples: [
    ['HTTP_GET url=https://api.github.com/zen', 'every way to call it'],
    ['HTTP_GET --way curl --token - < token.txt', 'one text, to be run as it is'],
  ],
  async run(values, terminal) {
    const { way, json } = values
    const place = await openPlace(values, terminal)
    const tool = toolIn(place.config, values.tool)
    const token = values.token === undefined ? undefined : await readToken(values.token, terminal)
    const { host, port } = await gatewayAddress(place, values.gateway)
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const words = values.args ?? []
    const asked = {
      place: { config: place.config, token, host: authority },
      ...(words.length > 0 && { args: argsOf(tool, words) }),
    }
    const found = await asking(
      (async () => toolWays(tool, { ...asked, names: namesOf(way) }))(),
      'narrowgate catalog ways --help names what can be asked for',
    )
    if (json) terminal.out.line(JSON.stringify(found))
    else if (way?.length === 1 && found.length === 1) return printOne(found[0]!, terminal)
    else for (const one of found) printWay(one, terminal)
    return EXIT.ok
  },
})

function namesOf(ways: readonly string[] | undefined) {
  return ways && wayNames(ways.flatMap((names) => names.split(',')))
}

function toolIn({ catalog }: Pick<Config, 'catalog'>, name: string): Tool {
  const method = /^HTTP_([A-Z]+)$/.exec(name)?.[1]
  const found =
    method === undefined ? catalog.find((row) => row.name === name) : genericTool(method)
  if (found !== undefined) return found
  throw new Fault(EXIT.no, `tool: there is no row \`${name}\``, 'narrowgate find finds its name')
}

function argsOf(tool: Tool, words: readonly string[]): Readonly<Record<string, unknown>> {
  const read = argsOfTexts(tool, gathered(pairsOf(words)))
  if (read.ok) return read.args
  const lines = read.problems.map(({ path, got, repair }) => `${path}: got ${got}; ${repair}`)
  throw new Fault(EXIT.usage, ['these are no arguments of the tool', ...lines].join('\n  '))
}

function gathered(pairs: readonly (readonly [string, string])[]): QueryArgs {
  const found = new Map<string, string[]>()
  for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), value])
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length > 1 ? values : values[0]!]),
  )
}

/** The text alone, so that a pipe can run it. */
function printOne(way: Way, { out, err }: Terminal): number {
  if ('text' in way) {
    out.write(way.text.endsWith('\n') ? way.text : `${way.text}\n`)
    return EXIT.ok
  }
  err.line(`${way.way}: ${way.unavailable}; ${way.set}`)
  return EXIT.no
}

function printWay(way: Way, { out }: Terminal): void {
  if ('text' in way) {
    out.line(`# ${out.bold(way.way)}, with ${way.runs_with}`)
    out.line(way.text.trimEnd())
  } else out.line(`# ${out.bold(way.way)} is not to be had: ${way.unavailable}; ${way.set}`)
  out.line()
}

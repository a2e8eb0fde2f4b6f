import yargs, { type Argv } from 'yargs'
import { EXIT, Fault } from './exit.ts'
import { nearest } from './nearest.ts'
import type { Terminal } from './terminal.ts'
import type { Verb, VerbEntry, VerbGroup } from './verb.ts'

function nameOf(entry: VerbEntry | VerbGroup): string {
  return entry.usage.split(' ')[0] ?? entry.usage
}

/** Values stay as they were typed: an id may look like a number, a caveat like a path with dots. */
const PARSER = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'duplicate-arguments-array': true,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'populate--': true,
  'strip-aliased': true,
} as const

/** An option that takes one value and is given twice would otherwise come as a list. */
function refuseRepeats(verb: Verb, values: Readonly<Record<string, unknown>>): true {
  for (const [name, option] of Object.entries(verb.options)) {
    if (option.array !== true && Array.isArray(values[name])) {
      throw new Fault(EXIT.usage, `--${name} is given twice`, 'give it once')
    }
  }
  return true
}

/** Each on a line of its own, to be copied; yargs would break them into columns. */
function examplesOf(verb: Verb, path: string): string {
  return [
    'Examples:',
    ...verb.examples.flatMap(([command, says]) => [
      `  narrowgate ${path} ${command}`.trimEnd(),
      `      ${says}`,
    ]),
  ].join('\n')
}

function withOptions(builder: Argv, verb: Verb, path: string): Argv {
  for (const [name, option] of Object.entries(verb.positionals)) builder.positional(name, option)
  for (const [name, option] of Object.entries(verb.options)) builder.option(name, option)
  return builder.epilogue(examplesOf(verb, path)).check((values) => refuseRepeats(verb, values))
}

/** Says which option was most likely meant where one is not known. */
export function explainUsage(message: string, known: readonly string[]): string {
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? []
  if (unknown === undefined) return message.charAt(0).toLowerCase() + message.slice(1)
  const hints = unknown.split(', ').map((word) => {
    const near = nearest(word, known)
    return near === undefined ? `\`${word}\`` : `\`${word}\` (did you mean \`${near}\`?)`
  })
  return `unknown option or argument ${hints.join(', ')}`
}

/** What a verb threw, and not a complaint of yargs about the command line. */
function isForeign(error: Error | null | undefined): boolean {
  return error !== undefined && error !== null && error.name !== 'YError'
}

interface Commands {
  readonly terminal: Terminal
  readonly done: (exit: number) => void
}

function addVerb(parser: Argv, entry: VerbEntry, path: string, commands: Commands): Argv {
  let loaded: Promise<Verb> | undefined
  const load = (): Promise<Verb> => (loaded ??= entry.load())
  const name = `${path} ${nameOf(entry)}`.trim()
  return parser.command(
    [entry.usage, ...(entry.aliases ?? [])],
    entry.summary,
    async (builder: Argv) => {
      const verb = await load()
      const known = [...Object.keys(verb.options), 'help', 'version']
      return withOptions(builder, verb, name).fail((message, error) => {
        if (isForeign(error)) throw error
        throw new Fault(EXIT.usage, explainUsage(message, known), `see narrowgate ${name} --help`)
      })
    },
    async (values) => commands.done(await (await load()).run(values, commands.terminal)),
  )
}

function addGroup(parser: Argv, group: VerbGroup, commands: Commands): Argv {
  return parser.command(group.usage, group.summary, (builder: Argv) => {
    for (const entry of group.verbs) addVerb(builder, entry, group.usage, commands)
    return builder.demandCommand(1, `name what to do: ${group.verbs.map(nameOf).join(', ')}`)
  })
}

/** The parser of the whole command line. Usage mistakes come out as a Fault. */
export function createParser(
  entries: readonly (VerbEntry | VerbGroup)[],
  { version, ...commands }: Commands & { readonly version: string },
): Argv {
  const parser = yargs()
    .scriptName('narrowgate')
    .locale('en')
    .usage('$0 <verb>\n\nEvery call of an agent decided, keyed, cut down and receipted.')
    .parserConfiguration(PARSER)
    .version(version)
    .help()
    .alias('help', 'h')
    .exitProcess(false)
    .strict()
    .recommendCommands()
    .wrap(100)
    .fail((message, error) => {
      if (isForeign(error)) throw error
      throw new Fault(EXIT.usage, explainUsage(message, []), 'see narrowgate --help')
    })
  for (const entry of entries) {
    if ('verbs' in entry) addGroup(parser, entry, commands)
    else addVerb(parser, entry, '', commands)
  }
  return parser
    .completion('completion', 'print a completion script for bash or zsh')
    .demandCommand(1, 'name a verb')
    .epilogue('Exit codes: 0 ok, 1 no, 2 usage, 69 no gateway or state, 70 internal.')
}

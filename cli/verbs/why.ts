import { explain, type Explanation } from '../../gateway/why/explain.ts'
import type { Question } from '../../gateway/why/question.ts'
import { EXIT, Fault } from '../exit.ts'
import { JSON_OUTPUT, PLACE } from '../options.ts'
import { openExistingPlace } from '../place.ts'
import { readToken } from '../stdin.ts'
import { printable, table } from '../table.ts'
import type { Screen } from '../terminal.ts'
import { defineVerb } from '../verb.ts'

/** `name: value`, as curl takes them. */
function headersOf(lines: readonly string[] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (lines ?? []).map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) return [name, value.trimEnd()]
      throw new Fault(EXIT.usage, `header: got \`${line}\``, "write it like 'accept: text/html'")
    }),
  )
}

function printLines({ lines }: Explanation, out: Screen): void {
  const word = { holds: out.good, refuses: out.bad, unjudged: out.faint }
  const widest = Math.max(0, ...lines.map(({ line }) => line.length))
  for (const { line, says, leash, verdict, got, repair, used } of lines) {
    const marks = [
      leash === undefined ? '' : ' (leash)',
      used === undefined ? '' : `, ${used} used`,
    ]
    const text = `${printable(line).padEnd(widest)}  ${printable(says)}${marks.join('')}`
    out.line(`  ${word[verdict](verdict.padEnd(8))}  ${text}`)
    if (verdict === 'refuses')
      out.line(`            got ${printable(got ?? '')}; ${printable(repair ?? '')}`)
  }
}

/** What refuses and is no line of the token. */
function printOthers({ reasons, would_refuse: shadowed = [], lines }: Explanation, out: Screen) {
  const said = new Set(lines.map(({ line }) => line))
  const told = ({ axis, caveat = '', got, repair }: Explanation['reasons'][number]) => {
    const subject = caveat === '' ? axis : `${axis} ${caveat}`
    return printable(`${subject}: got ${got}; ${repair}`)
  }
  for (const reason of reasons)
    if (!said.has(reason.caveat ?? '')) out.line(`  ${out.bad('refuses ')}  ${told(reason)}`)
  for (const reason of shadowed) out.line(`  ${out.warn('shadow  ')}  ${told(reason)}`)
}

function print(explanation: Explanation, out: Screen): void {
  const { allowed, code, status, tool, grant } = explanation
  const verdict = allowed ? out.good('allowed') : out.bad(`refused ${code} (${status})`)
  const subject = [tool, grant === undefined ? undefined : `grant ${grant}`]
  out.line([verdict, ...subject.filter((word) => word !== undefined).map(printable)].join('  '))
  printLines(explanation, out)
  printOthers(explanation, out)
  if (explanation.cedar === undefined) return
  const { policy, context } = explanation.cedar
  out.line()
  out.line(policy)
  out.write(table(['CONTEXT', 'READS'], Object.entries(context)))
}

/** Explains a decision from this state, without the call. Exit 0 where it would be let through, 1 where it would not. */
export const why = defineVerb({
  positionals: {
    token: { type: 'string', demandOption: true, describe: 'a token, or - for stdin' },
    method: { type: 'string', demandOption: true, describe: 'GET, POST, …' },
    url: { type: 'string', demandOption: true, describe: 'where the upstream is' },
    body: { type: 'string', describe: 'the request’s body; JSON unless a header says otherwise' },
  },
  options: {
    ...PLACE,
    header: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: "a request header: 'name: value' (repeatable)",
    },
    door: {
      type: 'string',
      choices: ['proxy', 'mount'] satisfies readonly Question['door'][],
      requiresArg: true,
      describe: 'the door that it would come by; proxy where it is left out',
    },
    cedar: { type: 'boolean', default: false, describe: 'show the lines in Cedar too' },
    ...JSON_OUTPUT,
  },
  examples: [
    ['- GET https://api.github.com/zen < token.txt', 'every line: holds, or refuses and why'],
    [
      `"$TOKEN" POST https://api.github.com/graphql '{"query":"{viewer{login}}"}' --cedar`,
      'with a body, and with the lines in Cedar',
    ],
  ],
  async run(values, terminal) {
    const { method, url, body, door, cedar } = values
    const headers = headersOf(values.header)
    const token = await readToken(values.token, terminal)
    const place = await openExistingPlace(values, terminal)
    const explanation = await place.judging((ports) =>
      explain({ token, method, url, headers, body, door, cedar }, ports),
    )
    if (values.json) terminal.out.line(JSON.stringify(explanation))
    else print(explanation, terminal.out)
    return explanation.allowed ? EXIT.ok : EXIT.no
  },
})

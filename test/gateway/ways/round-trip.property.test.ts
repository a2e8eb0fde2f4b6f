import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { graphql } from 'graphql'
import t from 'tap'
import {
  argsOfTexts,
  callOfText,
  envelopeOfForm,
  parseJsonBody,
  waysOf,
  type Tool,
  type WayName,
} from '../../../catalog/index.ts'
import { schemaOf, type FieldCall } from '../../../gateway/graphql/schema.ts'
import { readRequest } from '../../../gateway/rpc/requests.ts'
import { readLink } from '../../../gateway/run/call.ts'
import { rowWith } from '../../catalog/request/rig.ts'

/** An argument of each type, in each place. */
const PROPERTIES: Tool['args']['properties'] = {
  id: { in: 'path', type: 'string', required: true },
  page: { in: 'query', type: 'integer' },
  exact: { in: 'query', type: 'boolean' },
  title: { in: 'body', type: 'string' },
  labels: { in: 'body', type: 'array' },
  extra: { in: 'body', type: 'object' },
}
const TOOL = rowWith({ method: 'POST', path: '/v1/{id}', args: { properties: PROPERTIES } })
const GATEWAY = { base: 'http://gateway.example:3128', token: 'g1.eyJ.c2ln', closed: [] } as const

type Args = Readonly<Record<string, unknown>>

/** Any text but NUL, which no command can hold. */
const text = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('ab \'"\\$`!%&<>=/?#[]{}\n\t;|*~é€🎈')) }),
    fc.string({ unit: 'grapheme' }),
  )
  .filter((value) => !/[\0\p{Surrogate}]/u.test(value))
const args: fc.Arbitrary<Args> = fc.record(
  {
    id: text.filter((value) => value !== ''),
    page: fc.integer(),
    exact: fc.boolean(),
    title: text,
    // One value alone is a text in a query and a list in JSON: the row's type says which.
    labels: fc.array(text, { minLength: 2, maxLength: 4 }),
    extra: fc.dictionary(fc.constantFrom('a', 'b c', 'ü'), text),
  },
  { requiredKeys: ['id'] },
)

function textOf(way: WayName, given: Args): string {
  const [written] = waysOf(TOOL, { gateway: GATEWAY, envelope: {}, args: given, names: [way] })
  if (written === undefined || !('text' in written)) throw new Error(`${way} is not written`)
  return written.text
}

/** What stands in a here-document. */
function bodyOf(script: string): string {
  const begin = script.indexOf("<<'end'\n") + "<<'end'\n".length
  return script.slice(begin, script.lastIndexOf('\nend\n'))
}

function valueOf(json: string): unknown {
  const read = parseJsonBody(Buffer.from(json))
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

function argsOfForm(form: unknown): unknown {
  const read = envelopeOfForm(form)
  return read.ok ? [read.envelope.target, read.envelope.args] : read.problems
}

function argsOfLine(line: string): unknown {
  const call = callOfText(line)
  if ('fault' in call) return call.fault
  const read = argsOfTexts(TOOL, call.texts)
  return read.ok ? [call.tool, read.args] : read.problems
}

function argsOfLink(link: string): unknown {
  const path = link.slice(`${GATEWAY.base}/g/${GATEWAY.token}`.length)
  const { envelope } = readLink({ path } as never, { tool: () => TOOL })
  return [envelope.target, envelope.args]
}

function argsOfRpc(json: string): unknown {
  const { does } = readRequest(valueOf(json))
  return does !== 'invalid' && does.kind === 'tool'
    ? [does.envelope.target, does.envelope.args]
    : does
}

const READERS: Readonly<Partial<Record<WayName, (written: string) => unknown>>> = {
  run: (script) => argsOfForm(valueOf(bodyOf(script))),
  oip: (script) => argsOfForm(valueOf(bodyOf(script))),
  function_call: (script) => argsOfForm(valueOf(bodyOf(script))),
  jsonrpc: (script) => argsOfRpc(bodyOf(script)),
  webhook: (script) => [TOOL.name, valueOf(bodyOf(script))],
  line: (script) => argsOfLine(bodyOf(script)),
  tag: (script) => argsOfLine(bodyOf(script)),
  url: argsOfLink,
  named: argsOfLink,
}

/** Members come in any order. */
const sorted = ([tool, given]: readonly [unknown, unknown]) => [
  tool,
  JSON.parse(JSON.stringify(given, (_, value: unknown) => inOrder(value))),
]

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

for (const [way, read] of Object.entries(READERS))
  t.test(`what is written as ${way} is read as the same call`, async (t) => {
    fc.assert(
      fc.property(args, (given) => {
        const found = read(textOf(way as WayName, given)) as readonly [unknown, unknown]
        t.strictSame(sorted(found), sorted([TOOL.name, given]), { diagnostic: false })
      }),
      { numRuns: 200 },
    )
  })

t.test('and as graphql', async (t) => {
  const schema = schemaOf([TOOL])
  await fc.assert(
    fc.asyncProperty(args, async (given) => {
      const { query, variables } = JSON.parse(bodyOf(textOf('graphql', given)))
      const seen: FieldCall[] = []
      const call = async (asked: FieldCall) => {
        seen.push(asked)
        return { key: '', ok: true, status: 200 }
      }
      const { errors } = await graphql({
        schema,
        source: query as string,
        variableValues: variables as Args,
        contextValue: { call },
      })
      t.equal(errors, undefined)
      t.strictSame(sorted([seen[0]?.tool.name, seen[0]?.args]), sorted([TOOL.name, given]))
    }),
    { numRuns: 100 },
  )
})

t.test('and as a command, by a shell', async (t) => {
  const calls = fc.sample(args, 200)
  const told = 'narrowgate() { printf "%s\\0" "$@"; printf "\\0"; }\n'
  const script = told + calls.map((given) => textOf('cli', given)).join('')
  const output = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8' })
  const commands = output.split('\0\0').slice(0, -1)
  t.equal(commands.length, calls.length)
  for (const [at, command] of commands.entries()) {
    const [verb, tool, ...pairs] = command.split('\0')
    const texts: Record<string, string[]> = {}
    for (const pair of pairs) {
      const mark = pair.indexOf('=')
      ;(texts[pair.slice(0, mark)] ??= []).push(pair.slice(mark + 1))
    }
    const read = argsOfTexts(
      TOOL,
      Object.fromEntries(
        Object.entries(texts).map(([name, values]) => [
          name,
          values.length === 1 ? values[0]! : values,
        ]),
      ),
    )
    t.equal(verb, 'call')
    t.ok(read.ok)
    if (read.ok) t.strictSame(sorted([tool, read.args]), sorted([TOOL.name, calls[at]!]))
  }
})

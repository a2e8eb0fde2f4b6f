import { readFileSync } from 'node:fs'
import t from 'tap'
import { VERBS } from '../../cli/verbs.ts'
import type { VerbEntry } from '../../cli/verb.ts'
import { VARIABLES } from '../../sidecar/environment.ts'
import { run } from './in-process.ts'

const DOCS = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

/** `grant mint` and its entry, for every verb that can be called. */
const entries: readonly (readonly [string, VerbEntry])[] = VERBS.flatMap((entry) => {
  const name = entry.usage.split(' ')[0] ?? ''
  return 'verbs' in entry
    ? entry.verbs.map((verb) => [`${name} ${verb.usage.split(' ')[0]}`, verb] as const)
    : [[name, entry] as const]
})

/** The part of the page under the heading of one verb. */
function section(name: string): string {
  const [, rest = ''] = DOCS.split(`\n### ${name}\n`)
  return rest.split(/\n##/)[0] ?? ''
}

t.test('each verb and option is in the help and on the page', async (t) => {
  for (const [name, entry] of entries) {
    const { options } = await entry.load()
    const { exit, stdout } = await run([...name.split(' '), '--help'])
    t.equal(exit, 0, name)
    const text = section(name)
    t.not(text, '', `docs/cli.md has the section ${name}`)
    for (const option of Object.keys(options)) {
      t.match(stdout, `--${option} `, `${name} --help names --${option}`)
      t.match(text, `\`--${option}\``, `docs/cli.md, ${name}, names --${option}`)
    }
    t.match(stdout, 'Examples:', `${name} --help has examples`)
    if (name.startsWith('ledger ')) t.match(text, /\bexit \d/i, `${name}: its exit codes`)
  }
})

t.test('the page names no verb and no option that does not exist', async (t) => {
  const known = new Map(
    await Promise.all(entries.map(async ([name, entry]) => [name, await entry.load()] as const)),
  )
  for (const [, heading = ''] of DOCS.matchAll(/^### (.+)$/gm)) {
    const verb = known.get(heading)
    t.ok(verb, `the verb ${heading}`)
    for (const [, option = ''] of section(heading).matchAll(/^\| `--([a-z-]+)` \|/gm)) {
      t.ok(verb !== undefined && option in verb.options, `${heading} --${option}`)
    }
  }
})

t.test('the page lists the variables, all of them and no other', async (t) => {
  const [, rest = ''] = DOCS.split('\n## Variables\n')
  const listed = [...rest.matchAll(/^\| `([A-Za-z_]+)` \|/gm)].map(([, name]) => name)
  t.strictSame(
    listed,
    VARIABLES.map(({ name }) => name),
  )
})

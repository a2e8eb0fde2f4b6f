import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { default as t, type Test } from 'tap'
import { ROOT, textOf } from '../rules/tree.ts'
import { GITHUB_KEY, openLab, type Going, type Lab } from './lab.ts'
import { PAGES, shownCommands } from './pages.ts'
import { filledIn, TABLE, type RunHere, type RunThere, type Values } from './table.ts'

const LINK = 'npm run build && npm link'
const SERVE = 'narrowgate serve'
/** These come before the table: the others need the command, and a gateway that serves. */
const FIRST = [LINK, SERVE]

const shown = shownCommands()
/** `npx tap <file>` needs no more than the file: what it runs is a test. */
const oneTest = /^npx tap (test\/\S+\.test\.ts)$/

await t.test(
  'every command of the pages is run by something, and every entry is on a page',
  async (t) => {
    t.ok(
      PAGES.length > 15 && shown.length > 70,
      `${shown.length} commands on ${PAGES.length} pages`,
    )
    const known = new Set([...FIRST, ...Object.keys(TABLE)])
    const unknown = shown.filter(({ line }) => !known.has(line) && !oneTest.test(line))
    t.same(unknown, [], 'commands that nothing runs')
    const lines = new Set(shown.map(({ line }) => line))
    t.same(
      [...known].filter((line) => !lines.has(line)),
      [],
      'entries that no page shows',
    )
  },
)

await t.test('a test that a page names is there', async (t) => {
  const files = shown
    .map(({ line }) => oneTest.exec(line)?.[1])
    .filter((file) => file !== undefined)
  t.not(files.length, 0)
  for (const file of files) t.ok(existsSync(join(ROOT, file)), file)
})

const isThere = (entry: RunHere | RunThere): entry is RunThere => 'file' in entry

await t.test('what is run elsewhere is run there', async (t) => {
  const { scripts } = JSON.parse(textOf('package.json'))
  for (const [line, entry] of Object.entries(TABLE)) {
    if (!isThere(entry)) continue
    t.match(textOf(entry.file), entry.holds, `${line}: ${entry.file}`)
    const [script = '', does] = entry.script ?? []
    if (does !== undefined) t.match(scripts[script], does, `${line}: the script ${script}`)
  }
})

await t.test('the commands, typed into a home of their own', async (t) => {
  t.setTimeout(560_000)
  const lab = await openLab(t)
  const linked = await lab.run(LINK, { cwd: ROOT })
  if (!t.equal(linked.exit, 0, linked.output)) return
  const gateway = lab.start(`exec ${SERVE}`)
  await gateway.says(/"msg":"listening"/)
  const values = await makeValues(lab)

  await inLanes(Object.entries(TABLE), async ([line, entry]) => {
    if (isThere(entry)) return
    const { exit, output } = await typed(line, entry, values)
    t.equal(exit, entry.exit, `${line}\n${output}`)
    t.match(output, entry.says, line)
    t.notMatch(output, GITHUB_KEY, 'no key')
  })
  t.ok(lab.internet.heard.includes(`Bearer ${GITHUB_KEY}`), 'the key went where it belongs')
  await ends(t, gateway)
})

/** Two at a time, in the order of the table: most of a command's time is its start. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all([lane(), lane()])
}

function typed(line: string, { as = line, ending, with: given }: RunHere, values: Values) {
  const { env, ...place } = given?.(values) ?? {}
  // Without a shell in between, so that the signal reaches the command alone.
  const command = ending === undefined || as.includes('|') ? as : `exec ${as}`
  return values.lab.run(filledIn(command, values), {
    ...place,
    env: { TOKEN: values.token, ...env },
    ...(ending === undefined ? {} : { ending }),
  })
}

/** Makes a few receipts, and reads off what the examples' own values have to be here. */
async function makeValues(lab: Lab): Promise<Values> {
  const said = async (line: string) => {
    const { exit, output } = await lab.run(line)
    if (exit !== 0) throw new Error(`\`${line}\`: exit ${exit}\n${output}`)
    return output
  }
  const token = (await said(`narrowgate grant mint --tools HTTP_GET 2>/dev/null`)).trim()
  writeFileSync(join(lab.work, 'token.txt'), `${token}\n`)
  writeFileSync(join(lab.work, 'tokens.jsonl'), `${JSON.stringify(token)}\n`)
  const behind = 'eval "$(narrowgate env --token - < token.txt)"'
  const head = await said(`${behind}; curl -sSD - -o got.txt https://example.com`)
  await said(`${behind}; curl -sS -X DELETE https://example.com`)
  await said('narrowgate run --task T-7/3 -- curl -sS https://example.com')
  const grant = JSON.parse(await said('narrowgate grant show --json - < token.txt'))
  const state = join(lab.home, '.narrowgate')
  cpSync(join(state, 'ledger'), join(lab.work, 'copy'), { recursive: true })
  return {
    lab,
    token,
    grant: grant.id,
    link: grant.lines[0].link,
    receipt: fieldOf(head, 'receipt'),
    head: fieldOf(head, 'ledger-head'),
    buildKey: readFileSync(join(state, 'build.key'), 'utf8').trim(),
  }
}

/** A header field of an answer as curl prints it. */
function fieldOf(head: string, name: string): string {
  const [, value] = new RegExp(`^${name}: (\\S+)\\r?$`, 'im').exec(head) ?? []
  if (value === undefined) throw new Error(`no ${name} in:\n${head}`)
  return value
}

async function ends(t: Test, gateway: Going): Promise<void> {
  const { exit, output } = await gateway.end('SIGTERM')
  t.equal(exit, 0, output)
  for (const made of ['build.key', 'owner.key', 'ca', 'ledger'])
    t.match(output, new RegExp(`^  .*\\b${made}`, 'm'), `the first start says that it made ${made}`)
}

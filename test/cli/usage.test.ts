import t from 'tap'
import { run } from './in-process.ts'

/** Command lines that are wrong, and what the text has to say. */
const TABLE: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /name a verb/],
  [['srve'], /did you mean serve/],
  [['frobnicate'], /unknown option or argument `frobnicate`/],
  [['grant'], /mint, narrow, show, verify, revoke, leash, list/],
  [['grant', 'mnt'], /did you mean mint/],
  [['serve', '--lisen', ':3128'], /`lisen` \(did you mean `listen`\?\)/],
  [['run', '--tols', 'x', '--', 'true'], /`tols` \(did you mean `tools`\?\)/],
  [['run'], /behind --/],
  [['run', '--uses', 'many', '--', 'true'], /uses: got `many`/],
  [['run', '--without', 'colour', '--', 'true'], /tools, expires, uses, task, area, delegate/],
  [['env', '--format', 'toml'], /shell.*dockerfile.*compose.*json/s],
  [['ledger', 'list', '--limit', '0'], /from 1 to 1000/],
  [['ledger', 'list', '--since', 'yesterday'], /since: got `yesterday`/],
  [['ledger', 'verify', '--head', 'abc'], /64 hex digits/],
  [['grant', 'narrow'], /at least 2/],
  [['grant', 'verify'], /stdin/],
  [['check', '--config', 'a', '--config', 'b'], /given twice/],
  [['check', '--config'], /config/],
]

t.test('a wrong command line is exit 2 with what to do', async (t) => {
  const cwd = t.testdir()
  for (const [args, says] of TABLE) {
    t.test(args.join(' ') || '(nothing)', async (t) => {
      const ran = await run(args, { cwd })
      t.equal(ran.exit, 2, ran.stderr)
      t.match(ran.stderr, says)
      t.equal(ran.stdout, '')
      t.notMatch(ran.stderr, /\n\s+at /, 'no stack')
    })
  }
})

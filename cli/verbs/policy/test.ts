import { dirname, resolve } from 'node:path'
import { createConfigFiles } from '../../../gateway/config/files.ts'
import { printProblem } from '../../../gateway/config/index.ts'
import { readFixtures, type Fixtures } from '../../../gateway/replay/fixtures.ts'
import { replay, type Replayed, type ReplayReport } from '../../../gateway/replay/replay.ts'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openPlace } from '../../place.ts'
import { printable, table } from '../../table.ts'
import type { Screen, Terminal } from '../../terminal.ts'
import { defineVerb } from '../../verb.ts'

function fixturesIn(path: string, { cwd, env }: Terminal): Fixtures {
  const file = resolve(cwd, path)
  const files = createConfigFiles(dirname(file), env)
  const text = files.read(file)
  if ('why' in text)
    throw new Fault(
      EXIT.usage,
      `fixtures: \`${path}\` (${text.why})`,
      'name a file that can be read',
    )
  const read = readFixtures(text.text, files)
  if (read.ok) return read.fixtures
  const lines = read.problems.map(printProblem)
  throw new Fault(EXIT.usage, [`the fixtures are wrong`, ...lines].join('\n  '))
}

/** Changed receipts alone: the others are counted. */
function isChanged({ before, after }: Replayed): boolean {
  return before !== after
}

function print({ replayed, skipped, broken }: ReplayReport, { out, err }: Terminal): void {
  const changed = replayed.filter(isChanged)
  const rows = changed.map(({ receipt, tool, method, url, before, after }) => [
    before,
    after,
    tool,
    method,
    url,
    receipt,
  ])
  if (rows.length > 0)
    out.write(table(['BEFORE', 'AFTER', 'TOOL', 'METHOD', 'URL', 'RECEIPT'], rows))
  for (const each of changed) printReasons(each, out)
  for (const { receipt, is, got } of broken)
    out.line(`${out.bad('broken')}  ${printable(receipt)}: expected ${is}, got ${got ?? 'nothing'}`)
  const count = [`${replayed.length} replayed`, `${changed.length} changed`]
  err.line([...count, `${skipped.length} skipped`, `${broken.length} broken`].join(', '))
}

function printReasons({ receipt, reasons }: Replayed, out: Screen): void {
  for (const { axis, caveat = '', got, repair } of reasons) {
    const subject = caveat === '' ? axis : caveat
    out.line(printable(`${receipt}: ${subject}: got ${got}; ${repair}`))
  }
}

/** Replays receipts against a changed policy. Exit 1 where an expectation does not hold. */
export const test = defineVerb({
  positionals: {
    fixtures: { type: 'string', demandOption: true, describe: 'a YAML file; see the docs' },
  },
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [
    ['fixtures.yaml', 'what would change, and whether it is what is expected'],
    ['fixtures.yaml --json', 'every receipt with its verdict before and after'],
  ],
  async run(values, terminal) {
    const { config } = await openPlace(values, terminal)
    const report = replay(fixturesIn(values.fixtures, terminal), config)
    if (values.json) terminal.out.line(JSON.stringify(report))
    else print(report, terminal)
    return report.broken.length === 0 ? EXIT.ok : EXIT.no
  },
})

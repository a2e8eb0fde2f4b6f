import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf, segmentFiles } from './rig.ts'

t.test('segments follow each other in one chain, numbers without gaps', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder, { rotateBytes: 600 })
  for (let at = 0; at < 20; at += 1) await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(100) })
  const head = log.head()
  await log.close()
  const files = segmentFiles(folder)
  t.ok(files.length > 3, `${files.length} segments`)
  const numbers = recordsOf(folder).flatMap(({ kind, n }) => (kind === 'segment' ? [] : [n]))
  t.same(
    numbers,
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  const verified = await verifySegments(folder, { heads: [head] })
  t.equal(verified.verdict, 'ok')
  t.equal(verified.head, head.hash)
  t.match(verified.heads, [head])

  t.test('the second header is written as the format says', async (t) => {
    const line = readFileSync(files[1] ?? '', 'utf8').split('\n')[0] ?? ''
    const last =
      readFileSync(files[0] ?? '', 'utf8')
        .trimEnd()
        .split('\n')
        .at(-1) ?? ''
    const first = Number(/"n":([0-9]+)/.exec(last)?.[1]) + 1
    const expected = `{"kind":"segment","writer":"${head.writer}","n":0,"first":${first},"prev":"${last.slice(0, 64)}","opened":"2026-11-29T12:00:00.000Z"}`
    t.equal(line.slice(65), expected)
  })

  t.test('a lost segment is seen', async (t) => {
    rmSync(join(dirname(files[0] ?? ''), '000002.ndlog'))
    t.equal((await verifySegments(folder)).verdict, 'damaged')
  })
})

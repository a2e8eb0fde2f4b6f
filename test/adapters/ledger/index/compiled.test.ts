import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { makeFolder, openLog } from '../rig.ts'

const compiled = new URL('../../../../dist/adapters/ledger/index/open.js', import.meta.url)

// `npm test` builds first; alone, this test needs `npx tsc -b adapters`.
t.test('the compiled index finds its compiled worker', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  await log.refusal({ id: 'x' })
  await log.close()
  const options = JSON.stringify({ folder, file: join(folder, 'index.sqlite') })
  const program = `
    const { openLedgerIndex } = await import(${JSON.stringify(compiled.href)})
    const index = await openLedgerIndex(${options})
    console.log((await index.get('x')).outcome)
    await index.close()`
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  t.equal(stdout, 'refused\n')
})

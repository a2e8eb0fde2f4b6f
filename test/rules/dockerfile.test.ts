import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from './tree.ts'

const LINTER = join(ROOT, 'node_modules/.bin/dockerfilelint')

interface Verdict {
  readonly totalIssues: number
  readonly files: readonly { readonly issues: readonly unknown[] }[]
}

/** Issues make the linter's exit code; its verdict is on stdout all the same. */
function lint(file: string): Verdict {
  try {
    return JSON.parse(execFileSync(LINTER, [file, '-o', 'json'], { encoding: 'utf8' }))
  } catch (error) {
    return JSON.parse((error as { readonly stdout: string }).stdout)
  }
}

await t.test('the Dockerfile has no issue', async (t) => {
  const { files } = lint(join(ROOT, 'Dockerfile'))
  t.equal(files.length, 1, 'it was read')
  t.same(files[0]?.issues, [])
})

await t.test('the linter finds what is wrong', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-docker-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'Dockerfile')
  writeFileSync(file, 'FROM node:latest\nRUN sudo apt-get install g++\n')
  t.ok(lint(file).totalIssues > 0)
})

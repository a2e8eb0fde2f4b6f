import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { narrowgate } from '../cli/process.ts'
import { blocksOf } from './pages.ts'

/** The configurations that the pages show. */
const PAGES = ['README.md', 'docs/configuration.md']

/** The secrets that they name. */
const SECRETS = { GITHUB_TOKEN: 'a-token-of-20-bytes-0', HOME: '/nonexistent' }

for (const page of PAGES) {
  await t.test(`${page}: the configuration that it shows is right`, async (t) => {
    const shown = blocksOf(page).filter(({ lines }) => lines.includes('upstreams:'))
    t.equal(shown.length, 1, 'one is shown')
    const folder = t.testdir()
    const check = async (text: string) => {
      writeFileSync(join(folder, 'narrowgate.yaml'), text)
      return narrowgate(['check'], { cwd: folder, env: SECRETS })
    }
    const text = shown[0]?.lines.join('\n') ?? ''
    const { exit, stdout, stderr } = await check(text)
    t.equal(exit, 0, stdout + stderr)
    t.equal((await check(text.replace('mounts:', 'mount:'))).exit, 1, 'and a wrong one is found')
  })
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { narrowgate } from '../cli/process.ts'
import { blocksOf } from './pages.ts'

/** The configurations that the pages show. */
const PAGES = ['README.md', 'docs/configuration.md']

/** The secrets that they name. */
const NAMES =
  `GITHUB_TOKEN MAPS_KEY BOT_KEY MAIL_KEY AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY EXCHANGE_KEY
  CRM_CLIENT_SECRET`.split(/\s+/)
const SECRETS = {
  ...Object.fromEntries(NAMES.map((name) => [name, 'a-token-of-20-bytes-0'])),
  HOME: '/nonexistent',
}

for (const page of PAGES) {
  await t.test(`${page}: the configuration that it shows is right`, async (t) => {
    const shown = blocksOf(page).filter(({ lines }) => lines.includes('upstreams:'))
    t.ok(shown.length > 0, 'one is shown')
    const folder = t.testdir()
    const check = async (text: string) => {
      writeFileSync(join(folder, 'narrowgate.yaml'), text)
      return narrowgate(['check'], { cwd: folder, env: SECRETS })
    }
    for (const { lines } of shown) {
      const text = lines.join('\n')
      const { exit, stdout, stderr } = await check(text)
      t.equal(exit, 0, stdout + stderr)
      const wrong = await check(text.replace('upstreams:', 'upstream:'))
      t.equal(wrong.exit, 1, 'and a wrong one is found')
    }
  })
}

import { spawnSync } from 'node:child_process'
import t from 'tap'
import { assetNamed } from '../../../gateway/pages/assets.ts'
import { filesBelow, ROOT } from '../../rules/tree.ts'

const SCRIPTS = ['main.js', 'copy.js', 'rows.js', 'times.js']
const NAMES = [...SCRIPTS, 'style.css', 'icon.svg']

t.test('every script of the folder is served, and all of them are small', async (t) => {
  const sources = filesBelow('gateway/pages/client').filter((path) => path.endsWith('.ts'))
  t.same(
    sources
      .map((path) => path.replace('gateway/pages/client/', '').replace(/ts$/, 'js'))
      .toSorted(),
    SCRIPTS.toSorted(),
  )
  const bytes = SCRIPTS.reduce((sum, name) => sum + (assetNamed(name)?.body.length ?? NaN), 0)
  t.ok(bytes > 1000 && bytes < 100_000, `${bytes} bytes`)
})

t.test('no other name is a file', async (t) => {
  for (const name of [
    '',
    'main.ts',
    'main.d.ts',
    '../html.js',
    '__proto__',
    'constructor',
    'x.css',
  ])
    t.equal(assetNamed(name), undefined, name)
})

t.test('nothing in them is fetched from elsewhere', async (t) => {
  for (const name of NAMES) {
    const text = assetNamed(name)?.body.toString() ?? ''
    t.not(text, '')
    t.notMatch(text.replaceAll('http://www.w3.org/2000/svg', ''), /\bhttps?:|url\(|@import/, name)
  }
})

t.test('the compiled program serves the same files', async (t) => {
  const program = `const { assetNamed } = await import('./dist/gateway/pages/assets.js')
process.stdout.write(JSON.stringify(${JSON.stringify(NAMES)}.map((name) => assetNamed(name).etag)))`
  const args = ['-u', 'NODE_OPTIONS', process.execPath, '--input-type=module', '-e', program]
  const { stdout, stderr } = spawnSync('/usr/bin/env', args, { cwd: ROOT, encoding: 'utf8' })
  t.equal(stderr, '')
  t.same(
    JSON.parse(stdout),
    NAMES.map((name) => assetNamed(name)?.etag),
  )
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { printProblem } from '../../../gateway/config/index.ts'
import { badConfig, goodConfig, tempFolder } from './_config.ts'

const FORBID = 'forbid (principal, action, resource) when { resource.method == "DELETE" };'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

t.test('without a word of it there are none, and they would be enforced', async (t) => {
  t.strictSame(goodConfig('').guardrails, { mode: 'enforce', guardrails: [] })
})

t.test('guardrails of all files are read, in order', async (t) => {
  const folder = folderWith({ 'a.cedar': `@id("a") ${FORBID}`, 'b.cedar': `\n${FORBID}` })
  const { mode, guardrails } = goodConfig(
    'guardrails: { files: [./a.cedar, b.cedar], mode: shadow }',
    folder,
  ).guardrails
  t.equal(mode, 'shadow')
  t.strictSame(
    guardrails.map(({ name, place }) => [name, place]),
    [
      ['a', './a.cedar:1'],
      ['b.cedar:2', 'b.cedar:2'],
    ],
  )
})

t.test('their text is part of the configuration’s version', async (t) => {
  const text = 'guardrails: { files: [a.cedar] }'
  const one = goodConfig(text, folderWith({ 'a.cedar': FORBID }))
  const other = goodConfig(text, folderWith({ 'a.cedar': `${FORBID}\n` }))
  t.not(one.version, other.version)
})

t.test('what is wrong is told with file, line and column, beside all else', async (t) => {
  const folder = folderWith({
    'a.cedar': `${FORBID}\nforbid (principal, action, resource) when { context.modelz };`,
  })
  const problems = badConfig(
    'surprise: 1\nguardrails: { files: [./a.cedar, missing.cedar], mode: warn }',
    folder,
  )
  t.strictSame(problems.map(({ path }) => path).sort(), [
    './a.cedar:2:45',
    'guardrails.files[1]',
    'guardrails.mode',
    'surprise',
  ])
  const lines = problems.map(printProblem)
  t.ok(
    lines.some((line) => /^\.\/a\.cedar:2:45: got .*modelz.*; did you mean/.test(line)),
    lines.join(),
  )
  t.match(problems.find(({ path }) => path === 'guardrails.files[1]')?.got, /ENOENT/)
})

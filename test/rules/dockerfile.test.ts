import dockerfilelint from 'dockerfilelint'
import t from 'tap'
import { ROOT, textOf } from './tree.ts'

const issuesOf = (text: string) => dockerfilelint.run(ROOT, text)

await t.test('the Dockerfile has no issue', async (t) => {
  const text = textOf('Dockerfile')
  t.match(text, /^USER node$/m, 'it was read')
  t.same(issuesOf(text), [])
})

await t.test('the linter finds what is wrong', async (t) => {
  t.not(issuesOf('FROM node:latest\nRUN sudo apt-get install g++\n').length, 0)
})

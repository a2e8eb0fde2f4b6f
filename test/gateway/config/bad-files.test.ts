import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { badConfig } from './_config.ts'

// Each file says in its first lines which paths must be told, all of them and no others.
const folder = new URL('./bad/', import.meta.url)

for (const name of readdirSync(folder)) {
  t.test(name, async (t) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const expected = [...text.matchAll(/^# expect: (.*)$/gm)].map((match) => match[1] ?? '')
    const problems = badConfig(text, folder.pathname)
    const told = new Set(problems.map((problem) => problem.path))
    t.strictSame([...told].toSorted(byText), expected.toSorted(byText))
    for (const { got, repair } of problems) {
      t.match(got, /\S/)
      t.match(repair, /\S/)
    }
  })
}

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

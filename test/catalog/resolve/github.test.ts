import { readFileSync } from 'node:fs'
import t from 'tap'
import { createResolver, type Found, type Resolver } from '../../../catalog/resolve/resolver.ts'
import type { Searchable } from '../../../catalog/resolve/rows.ts'
import { githubRows, goldenQuestions } from './_github.ts'

const rows = githubRows()
const resolver = createResolver(rows)
const golden = goldenQuestions()

function rankOf(found: readonly Found<Searchable>[], name: string): number {
  if (name === '-') return found.length === 0 ? 1 : 0
  return found.findIndex(({ row }) => row.name === name) + 1
}

t.test('300 questions find what they mean where the golden file says', async (t) => {
  const now = golden.map(({ question, name }) => {
    return { question, name, rank: rankOf(resolver.find(question), name) }
  })
  t.equal(new Set(golden.map(({ question }) => question)).size, 300)
  t.same(now, golden)
  const within = (most: number) => now.filter(({ rank }) => rank > 0 && rank <= most).length
  t.ok(within(1) >= 211, `${within(1)} of 300 at rank 1`)
  t.ok(within(3) >= 243, `${within(3)} of 300 among the first three`)
  const page = readFileSync(new URL('../../../docs/catalog.md', import.meta.url), 'utf8')
  t.match(page, `${within(1)} find what they mean first and ${within(3)} among the first three`)
})

t.test('neither the order of the rows nor asking again changes an answer', async (t) => {
  const answers = (one: Resolver<Searchable>) => golden.map(({ question }) => one.find(question))
  const first = JSON.stringify(answers(resolver))
  t.equal(JSON.stringify(answers(resolver)), first)
  for (const step of [401, 407, 600]) {
    // 1223 is prime: steps of any length go through all rows.
    const shuffled = rows.map((_, at) => rows[(at * step) % rows.length]!)
    t.equal(new Set(shuffled).size, rows.length)
    t.equal(JSON.stringify(answers(createResolver(shuffled))), first, `steps of ${step}`)
  }
})

/** The rows of one layer that a question finds. */
const inLayer = (question: string, score: number) =>
  resolver
    .find(question, { limit: rows.length })
    .filter((found) => found.score === score)
    .map(({ row }) => row.name)

type Edit = (word: string, at: number) => string
const EDITS: Readonly<Record<string, Edit>> = {
  swap: (word, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  insert: (word, at) => `${word.slice(0, at)}q${word.slice(at)}`,
  drop: (word, at) => word.slice(0, at) + word.slice(at + 1),
  replace: (word, at) => `${word.slice(0, at)}q${word.slice(at + 1)}`,
}

const WORDS: Readonly<Record<string, string>> = {
  octocat: 'GITHUB_META_GET_OCTOCAT',
  gitignore: 'GITHUB_GITIGNORE_GET_TEMPLATE',
  stargazers: 'GITHUB_ACTIVITY_LIST_STARGAZERS_FOR_REPO',
  codeowners: 'GITHUB_REPOS_CODEOWNERS_ERRORS',
  sarif: 'GITHUB_CODE_SCANNING_UPLOAD_SARIF',
  milestone: 'GITHUB_ISSUES_CREATE_MILESTONE',
}

t.test('one typing error of each kind, anywhere in a word', async (t) => {
  for (const [word, name] of Object.entries(WORDS)) {
    for (const [kind, edit] of Object.entries(EDITS)) {
      const places = Array.from({ length: word.length - 1 }, (_, at) => at)
      const edited = [...new Set(places.map((at) => edit(word, at)))].filter((one) => one !== word)
      const lost = edited.filter((one) => one.length > 3 && !inLayer(one, 300).includes(name))
      t.same(lost, [], `${kind} in ${word}`)
    }
  }
})

t.test('two typing errors of each kind in a word of eight letters or more', async (t) => {
  for (const [word, name] of Object.entries(WORDS).filter(([word]) => word.length > 9)) {
    for (const [kind, edit] of Object.entries(EDITS)) {
      const twice = edit(edit(word, 6), 2)
      t.ok(inLayer(twice, 300).includes(name), `${kind}: ${twice}`)
      const thrice = edit(edit(edit(word, 7), 4), 1)
      t.notOk(inLayer(thrice, 300).includes(name), `${kind}: ${thrice} has one too many`)
    }
  }
  t.same(inLayer('sraif', 300), inLayer('sarfi', 300), 'one in a word of five')
  t.notOk(inLayer('sraqif', 300).includes('GITHUB_CODE_SCANNING_UPLOAD_SARIF'), 'two are too many')
  t.same(inLayer('zne', 300), [], 'none in a word of three')
})

t.test('what sounds like a word finds its rows', async (t) => {
  const sounds: Readonly<Record<string, string>> = {
    colabrater: 'COLLABORATOR',
    notifikashuns: 'NOTIFICATIONS',
    subskripshen: 'SUBSCRIPTION',
    workphloe: 'WORKFLOW',
    runar: 'RUNNER',
    mylstoan: 'MILESTONE',
    oktukaat: 'OCTOCAT',
    emojeez: 'EMOJIS',
  }
  for (const [sound, word] of Object.entries(sounds)) {
    const [first] = resolver.find(sound, { limit: 1000 }).filter(({ score }) => score === 200)
    const meant = inLayer(sound, 200).some((name) => name.includes(word))
    t.match(first, { matched_on: 'sound', matched_because: `"${sound}" sounds like "` }, sound)
    t.ok(meant, `${sound}: ${word}`)
  }
  t.same(resolver.find('zzyzx'), [])
})

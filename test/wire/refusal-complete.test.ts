import { readFileSync } from 'node:fs'
import t from 'tap'
import { ERRORS } from '../../gateway/errors.ts'
import type { ErrorCode } from '../../gateway/errors.ts'
import { EXCEPTIONS } from './scenes/exceptions.ts'
import { PROOFS } from './scenes/index.ts'
import { CALL_WAYS } from './scenes/scene.ts'
import type { Way } from './scenes/scene.ts'

// Every code is brought about on every way, or there is a reason why it cannot be.

const CODES = Object.keys(ERRORS) as ErrorCode[]
const nameOf = (code: ErrorCode, way: Way) => `${code}, ${way}`
const provoked = PROOFS.flatMap(({ provokes }) => provokes)
const names = new Set(provoked.map(([code, way]) => nameOf(code, way)))
const excepted = EXCEPTIONS.flatMap(({ codes, ways }) =>
  codes.flatMap((code) => ways.map((way) => nameOf(code, way))),
)

t.test('every code, on every way', async (t) => {
  const wanted = CODES.flatMap((code) => CALL_WAYS.map((way) => nameOf(code, way)))
  const known = new Set([...names, ...excepted])
  t.same(
    wanted.filter((name) => !known.has(name)),
    [],
    'brought about, or excepted with a reason',
  )
})

t.test('every code is brought about somewhere', async (t) => {
  const somewhere = new Set(provoked.map(([code]) => code))
  const elsewhere = EXCEPTIONS.flatMap(({ codes, test }) => (test === undefined ? [] : codes))
  const never = CODES.filter((code) => !somewhere.has(code) && !elsewhere.includes(code))
  t.same(never, ['task_mismatch'])
})

t.test('no exception is stale, and none stands twice', async (t) => {
  t.same(
    excepted.filter((name, at) => names.has(name) || excepted.indexOf(name) !== at),
    [],
  )
})

t.test('the tests that exceptions name do what is said of them', async (t) => {
  for (const { codes, test } of EXCEPTIONS) {
    if (test === undefined) continue
    const text = readFileSync(new URL(`../../${test.file}`, import.meta.url), 'utf8')
    for (const word of [...codes, ...test.words]) t.ok(text.includes(word), `${test.file}: ${word}`)
  }
})

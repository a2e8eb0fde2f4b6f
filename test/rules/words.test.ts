import { homedir } from 'node:os'
import t from 'tap'
import { filesBelow, PRODUCT, ROOT, SOURCES, textOf, typescriptIn } from './tree.ts'

/** Put together from parts, so that this file does not hold what it looks for. */
const spelled = (...parts: readonly string[]): string => parts.join('')

interface Ban {
  readonly says: string
  readonly found: RegExp
}

const IN_SOURCES: readonly Ban[] = [
  { says: 'a test that runs alone', found: new RegExp(spelled('\\.on', 'ly\\(')) },
  { says: 'a cast that ends checking', found: new RegExp(spelled('\\bas a', 'ny\\b')) },
  {
    says: 'a check that is switched off',
    found: new RegExp(spelled('@ts-(ig', 'nore|no', 'check)')),
  },
  {
    says: 'a note of work left undone',
    found: new RegExp(spelled('\\b(TO', 'DO|FIX', 'ME|XX', 'X)\\b')),
  },
]

/** Homes of real users; `/home/u` and `/root` as names in examples are nobody's. */
const SOMEBODYS_HOME = /(?:\/home\/(?!u\/|u\b)[\w.-]+\/|\/Users\/\w+|[A-Z]:\\Users\\)/

const files = filesBelow()

/** Without binary files and the lists that npm writes. */
const texts = files
  .filter((path) => !path.endsWith('package-lock.json'))
  .map((path) => [path, textOf(path)] as const)

await t.test('nothing is committed that was left over from work', async (t) => {
  const sources = typescriptIn(SOURCES)
  t.ok(sources.length > 300, 'the sources were read')
  for (const { says, found } of IN_SOURCES)
    t.same(
      sources.filter((path) => found.test(textOf(path))),
      [],
      says,
    )
})

await t.test('no file names a path of somebody’s machine', async (t) => {
  t.ok(texts.length > 350, 'the files were read')
  const own = [ROOT.replace(/\/$/, ''), homedir()].filter((path) => path.split('/').length > 2)
  const guilty = texts.filter(
    ([, text]) => SOMEBODYS_HOME.test(text) || own.some((path) => text.includes(`${path}/`)),
  )
  t.same(
    guilty.map(([path]) => path),
    [],
  )
})

await t.test('a source file of the product is one idea, under 300 lines', async (t) => {
  const long = typescriptIn(PRODUCT).filter(
    (path) => textOf(path).trimEnd().split('\n').length > 300,
  )
  t.same(long, [])
})

await t.test('each ban finds what it is for', async (t) => {
  const planted = [
    spelled('t.on', 'ly("x")'),
    spelled('value as a', 'ny'),
    spelled('// @ts-ig', 'nore'),
    spelled('// TO', 'DO later'),
  ]
  IN_SOURCES.forEach(({ says, found }, at) => t.match(planted[at], found, says))
  t.match(spelled('/ho', 'me/somebody/x'), SOMEBODYS_HOME)
  t.notMatch('area = /home/u/src/,/tmp/u', SOMEBODYS_HOME)
})

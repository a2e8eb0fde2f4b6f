import t from 'tap'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { run } from './in-process.ts'

const ROWS = `
tools:
  - { name: PETS_LIST, summary: list the pets, host: pets.test, method: GET, path: /pets }
  - { name: PETS_ADD, summary: add a pet, host: pets.test, method: POST, path: /pets }
  - { name: IMSG_SEND, summary: send a text, host: imsg.test, method: POST, path: /send }
`
const PLACE = { 'narrowgate.yaml': 'catalog: [./rows.yaml]\n', 'rows.yaml': ROWS }

t.test('a question finds tools, each with its reason', async (t) => {
  const cwd = t.testdir(PLACE)
  const ran = await run(['find', 'how', 'do', 'I', 'list', 'pets?'], { cwd })
  t.equal(ran.exit, 0, ran.stderr)
  t.match(
    ran.stdout,
    /^TOOL +SCORE +WHY +SUMMARY\nPETS_LIST +700 +every word is in the name: list, pets +list the pets$/m,
  )
  const json = await run(['find', 'text message', '--json', '--limit', '1'], { cwd })
  t.match(JSON.parse(json.stdout), [
    {
      name: 'IMSG_SEND',
      score: 600,
      matched_on: 'alias',
      matched_because: '"text message" means this',
    },
  ])
})

t.test('with a token only what it grants is found', async (t) => {
  const cwd = t.testdir(PLACE)
  const key = createBuildKey('a-build-key-of-more-than-32-bytes-12345')
  const lines = ['tools = PETS_*', 'tools = *_ADD']
  const token = mintToken(key, 'g_1', lines)
  const found = await run(['find', 'pets', '--token', token, '--json'], { cwd })
  t.same(
    JSON.parse(found.stdout).map(({ name }: { readonly name: string }) => name),
    ['PETS_ADD'],
  )
  const bad = await run(['find', 'pets', '--token', 'g1.x.y'], { cwd })
  t.not(bad.exit, 0)
  t.notMatch(bad.stderr, /\n {4}at /)
})

t.test('nothing found says what to do', async (t) => {
  const cwd = t.testdir({ ...PLACE, none: {} })
  const none = await run(['find', 'zzzz'], { cwd })
  t.equal(none.exit, 1)
  t.match(none.stderr, /nothing of 3 rows/)
  const empty = await run(['find', 'pets'], { cwd: `${cwd}/none` })
  t.equal(empty.exit, 1)
  t.match(empty.stderr, /catalog import/)
  const limit = await run(['find', 'pets', '--limit', '0'], { cwd })
  t.equal(limit.exit, 2)
  t.match(limit.stderr, /--limit: got `0`/)
})

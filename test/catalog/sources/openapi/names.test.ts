import t from 'tap'
import { documentOf, rowsOf } from './_document.ts'

const namesOf = (paths: Record<string, unknown>) =>
  rowsOf(documentOf(paths)).tools.map(({ name }) => name)

t.test('operation ids become names', async (t) => {
  const cases: Record<string, string> = {
    'issues/list-for-repo': 'API_ISSUES_LIST_FOR_REPO',
    listForRepo: 'API_LIST_FOR_REPO',
    getHTTPStatus: 'API_GET_HTTP_STATUS',
    'v2.users#show': 'API_V2_USERS_SHOW',
    Größe_ändern: 'API_GROSSE_ANDERN',
    get_2FA: 'API_GET_2_FA',
  }
  for (const [operationId, name] of Object.entries(cases)) {
    t.same(namesOf({ '/x': { get: { operationId } } }), [name], operationId)
  }
})

t.test('an operation without an id goes by method and path, and that is noted', async (t) => {
  const rows = rowsOf(documentOf({ '/repos/{owner}/issues': { get: {} }, '/': { post: {} } }))
  t.same(
    rows.tools.map(({ name }) => name),
    ['API_GET_REPOS_BY_OWNER_ISSUES', 'API_POST'],
  )
  t.match(rows.notes, [
    { at: 'GET /repos/{owner}/issues', why: /no operationId/ },
    { at: 'POST /', why: /no operationId/ },
  ])
})

t.test('names that collide are parted by method, then path, then number', async (t) => {
  const paths = {
    '/a': { get: { operationId: 'run' }, post: { operationId: 'run' } },
    '/b': { get: { operationId: 'go' } },
    '/c': { get: { operationId: 'go' } },
    '/d-e': { get: { operationId: 'same' } },
    '/d_e': { get: { operationId: 'same' } },
  }
  t.same(namesOf(paths), [
    'API_RUN_GET',
    'API_RUN_POST',
    'API_GET_B',
    'API_GET_C',
    'API_GET_D_E',
    'API_GET_D_E_2',
  ])
  const { notes } = rowsOf(documentOf(paths))
  t.equal(notes.length, 6)
  t.match(notes[0], { at: 'GET /a', why: 'named API_RUN_GET, as API_RUN is not its alone' })
})

t.test('a name that collides does not depend on what comes before it', async (t) => {
  const one = { '/b': { get: { operationId: 'go' } }, '/c': { get: { operationId: 'go' } } }
  const other = { '/c': { get: { operationId: 'go' } }, '/b': { get: { operationId: 'go' } } }
  t.same(namesOf(one).toSorted(), namesOf(other).toSorted())
})

t.test('a long name is cut, and stays its own', async (t) => {
  const operationId = 'x'.repeat(300)
  const names = namesOf({ '/a': { get: { operationId } }, '/b': { get: { operationId } } })
  t.equal(new Set(names).size, 2)
  for (const name of names) t.ok(name.length <= 128, name)
})

import t from 'tap'
import { parseCatalogYaml } from '../../../catalog/index.ts'
import { createDirectory } from '../../../gateway/directory.ts'
import { createRig, WITH_KEY } from './_owner.ts'

const ROWS = `
tools:
  - name: PETS_LIST
    summary: list the pets of a shop
    host: pets.test
    method: GET
    path: /shops/{shop}/pets
    args:
      properties:
        shop: { in: path, type: integer }
        kind: { in: query, type: string, enum: [cat, dog], description: which ones }
        path: { in: query }
    key: pets-key
    only: [name]
  - name: PETS_ADD
    summary: add a pet
    host: pets.test
    port: 8443
    method: POST
    path: /pets
    args: { properties: { name: { in: body, required: true } } }
  - name: MODEL_ASK
    summary: ask a model
    host: model.test
    method: POST
    path: /v1/chat
    model: model
    runs: code
`

const { tools } = parseCatalogYaml(ROWS, 'rows.yaml')
const { app } = createRig({
  directory: createDirectory(() => tools),
  cursorHeader: () => 'x-next',
})
const get = async (url: string) => {
  const { statusCode, body, headers } = await app.inject({ url, headers: WITH_KEY })
  return { status: statusCode, json: JSON.parse(body), body, headers }
}
const query = (want: object) => `/api/tools?want=${encodeURIComponent(JSON.stringify(want))}`

t.test('light is the names and nothing else', async (t) => {
  const { status, body } = await get('/api/tools?light=1')
  t.equal(status, 200)
  t.equal(body, '["PETS_LIST","PETS_ADD","MODEL_ASK"]')
})

t.test('a thousand names cost little more than their letters', async (t) => {
  const made = Array.from({ length: 1340 }, (_, at) => ({
    ...tools[0]!,
    name: `MADE_ROW_NUM_${String(at).padStart(4, '0')}`,
    summary: 'x'.repeat(900),
  }))
  const rig = createRig({ directory: createDirectory(() => made) })
  const { body } = await rig.app.inject({ url: '/api/tools?light=1', headers: WITH_KEY })
  t.equal(JSON.parse(body).length, 1340)
  t.ok(Buffer.byteLength(body) <= 28_080, `${Buffer.byteLength(body)} bytes`)
  const page = await rig.app.inject({ url: '/api/tools?want=name', headers: WITH_KEY })
  t.equal(page.json().length, 100, 'a page where none is named')
})

t.test('the rows as the envelope’s grammar says', async (t) => {
  t.equal((await get('/api/tools')).json.length, 3)
  t.same((await get('/api/tools?want=name,summary')).json[1], {
    name: 'PETS_ADD',
    summary: 'add a pet',
  })
  const where = { where: { method: 'POST' }, select: ['name'], order: ['name'] }
  t.same((await get(query(where))).json, [{ name: 'MODEL_ASK' }, { name: 'PETS_ADD' }])
  const first = await get(query({ select: ['name'], page: { limit: 2 } }))
  t.equal(first.json.length, 2)
  const cursor = first.headers['x-next']
  const rest = await get(query({ select: ['name'], page: { limit: 2, cursor } }))
  t.same(rest.json, [{ name: 'MODEL_ASK' }])
  t.equal(rest.headers['x-next'], undefined)
  const plain = 'select=name&where={"method":"POST"}&order=-name&limit=1'
  const one = await get(`/api/tools?${encodeURI(plain)}`)
  t.same(one.json, [{ name: 'PETS_ADD' }], 'its members one by one')
  const behind = `${plain}&cursor=${String(one.headers['x-next'])}`
  t.same((await get(`/api/tools?${encodeURI(behind)}`)).json, [{ name: 'MODEL_ASK' }])
  t.same((await get(query({ want: { aggregate: { count: true, by: ['host'] } } }))).status, 200)
})

t.test('everything about one tool', async (t) => {
  const { json } = await get('/api/contracts/PETS_LIST')
  const { ways, ...contract } = json
  t.same(ways[0], { ...ways[0], way: 'curl', door: '/g/run' })
  t.same(contract, {
    name: 'PETS_LIST',
    summary: 'list the pets of a shop',
    input_schema: {
      type: 'object',
      properties: {
        shop: { type: 'integer' },
        kind: { type: 'string', description: 'which ones', enum: ['cat', 'dog'] },
        path: {},
      },
      required: [],
    },
    binding: {
      method: 'GET',
      url: 'https://pets.test/shops/{shop}/pets',
      places: { shop: 'path', kind: 'query', path: 'query' },
      body: null,
      key: 'pets-key',
    },
    want: null,
    only: ['name'],
    rows: null,
    keep: 'upstream',
    bears: { paths: ['path'], model: null, runs: null },
    caveats: ['tools = PETS_LIST'],
  })
  t.match((await get('/api/contracts/PETS_ADD')).json, {
    input_schema: { required: ['name'] },
    binding: { url: 'https://pets.test:8443/pets', key: null, body: 'application/json' },
  })
  t.match((await get('/api/contracts/MODEL_ASK')).json.bears, { model: 'model', runs: 'code' })
})

t.test('a question finds rows and says why', async (t) => {
  const { json } = await get('/api/directory/query?q=how do I list pets%3F&limit=1')
  t.same(json, {
    query: 'how do I list pets?',
    rows: [
      {
        name: 'PETS_LIST',
        summary: 'list the pets of a shop',
        score: 700,
        matched_on: 'name',
        matched_because: 'every word is in the name: list, pets',
      },
    ],
  })
  t.same((await get('/api/directory/query?q=zzz')).json.rows, [])
})

t.test('what does not fit is refused and says how to mend it', async (t) => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ['/api/contracts/NOTHING', 404, /directory\/query/],
    ['/api/directory/query', 400, /ask something/],
    ['/api/directory/query?q=a&limit=0', 400, /1 to 1000/],
    ['/api/directory/query?q=a&sort=x', 400, /unknown parameter/],
    [`/api/directory/query?q=${'a'.repeat(2000)}`, 400, /1 to 1024/],
    ['/api/tools?light=yes', 400, /write `1`/],
    ['/api/tools?light=1&want=name', 400, /leave one of them out/],
    ['/api/tools?light=1&select=name', 400, /select beside light/],
    ['/api/tools?want=name&order=name', 400, /order beside want/],
    ['/api/tools?where={', 400, /write JSON/],
    ['/api/tools?where=7', 400, /where/],
    ['/api/tools?limit=0', 400, /whole number/],
    ['/api/tools?want={', 400, /want/],
    [query({ where: 5 }), 400, /where/],
    [query({ page: { cursor: 'forged' } }), 400, /cursor/],
  ]
  for (const [url, status, says] of cases) {
    const got = await get(url)
    t.equal(got.status, status, url)
    t.match(got.body, says, url)
  }
})

t.test('a reload brings other rows', async (t) => {
  let rows = tools
  const directory = createDirectory(() => rows)
  t.equal(directory.resolver(), directory.resolver(), 'made once')
  t.equal(directory.resolver().find('list pets')[0]?.row.name, 'PETS_LIST')
  rows = tools.slice(1)
  t.equal(directory.tool('PETS_LIST'), undefined)
  t.not(directory.resolver().find('list pets')[0]?.row.name, 'PETS_LIST')
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createOpenApiReader } from '../../../adapters/documents/openapi.ts'

const { read } = createOpenApiReader()
const parameter = (name: string) => ({ name, in: 'query', schema: { type: 'string' } })

t.test('references within a document are resolved, in JSON and in YAML', async (t) => {
  const yaml = `
openapi: 3.1.0
paths:
  /x:
    get:
      parameters: [{ $ref: '#/components/parameters/a~1b%20c' }]
components:
  parameters:
    a/b c: { name: page, in: query }
`
  const json = JSON.stringify({
    openapi: '3.1.0',
    paths: { '/x': { get: { parameters: [{ $ref: '#/components/parameters/page' }] } } },
    components: { parameters: { page: parameter('page') } },
  })
  for (const source of [yaml, json, `\uFEFF${json}`]) {
    const got = await read(source)
    t.match(got, {
      ok: true,
      document: { paths: { '/x': { get: { parameters: [{ name: 'page' }] } } } },
    })
  }
})

t.test('a circle is no fault', async (t) => {
  const node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }
  const got = await read(
    JSON.stringify({ openapi: '3.0.0', components: { schemas: { Node: node } } }),
  )
  t.match(got, { ok: true })
})

t.test('a reference that leads nowhere stays, and the others are resolved', async (t) => {
  const parameters = [{ $ref: '#/gone' }, { $ref: '#/components/parameters/page' }]
  const got = await read(
    JSON.stringify({
      paths: { '/x': { get: { parameters } } },
      components: { parameters: { page: parameter('page') } },
    }),
  )
  t.match(got, {
    ok: true,
    document: { paths: { '/x': { get: { parameters: [{ $ref: /#\/gone/ }, { name: 'page' }] } } } },
  })
})

t.test('nothing outside of the document is opened', async (t) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const folder = t.testdir({ 'secret.json': '{"name":"secret","in":"query"}' })
  for (const $ref of [
    `http://127.0.0.1:${port}/p.json`,
    `${folder}/secret.json`,
    `file://${folder}/secret.json#/name`,
    'secret.json',
  ]) {
    const got = await read(JSON.stringify({ paths: { '/x': { get: { parameters: [{ $ref }] } } } }))
    t.match(got, { ok: true, document: { paths: { '/x': { get: { parameters: [{ $ref }] } } } } })
  }
  t.same(asked, [])
})

t.test('what cannot be read says why in one line', async (t) => {
  for (const source of ['{"openapi":', 'a: [', '[]', 'text', '']) {
    const got = await read(source)
    t.match(got, { ok: false, why: /^[^\n]{5,}$/ }, source)
  }
})

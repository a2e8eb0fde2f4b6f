import t from 'tap'
import { rowsOfOpenApi } from '../../../../catalog/sources/openapi/rows.ts'
import { documentOf, rowsOf } from './_document.ts'

t.test('an operation of 3.1 becomes a row', async (t) => {
  const { tools, skipped, notes } = rowsOf(
    documentOf({
      '/repos/{owner}/issues/{number}': {
        summary: 'of the path',
        parameters: [
          { name: 'owner', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'string' } },
        ],
        patch: {
          operationId: 'issues/update',
          description: 'Change an issue.\nMore of it.',
          parameters: [
            {
              name: 'page',
              in: 'query',
              schema: { type: ['integer', 'null'] },
              description: 'which',
            },
            { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
            { name: 'Accept', in: 'header', schema: { type: 'string' } },
            { name: 'state', in: 'query', schema: { type: 'string', enum: ['open', 'closed'] } },
          ],
          requestBody: {
            required: true,
            content: {
              'application/vnd.api+json; charset=utf-8': {
                schema: {
                  required: ['title'],
                  properties: {
                    title: { type: 'string' },
                    labels: { type: 'array' },
                    id: { type: 'integer', readOnly: true },
                  },
                  allOf: [{ required: ['body'], properties: { body: { type: 'string' } } }],
                  oneOf: [{ required: ['lock'], properties: { lock: { type: 'boolean' } } }],
                },
              },
            },
          },
        },
      },
    }),
    { key: 'github' },
  )
  t.same([skipped, notes], [[], []])
  t.same(tools, [
    {
      name: 'API_ISSUES_UPDATE',
      summary: 'Change an issue.',
      scheme: 'https',
      host: 'api.test',
      path: '/v1/repos/{owner}/issues/{number}',
      method: 'PATCH',
      args: {
        properties: {
          number: { in: 'path', type: 'string', required: true },
          owner: { in: 'path', type: 'string', required: true },
          page: { in: 'query', type: 'integer', description: 'which' },
          state: { in: 'query', type: 'string', enum: ['open', 'closed'] },
          'X-Trace': { in: 'header', type: 'string' },
          title: { in: 'body', type: 'string', required: true },
          labels: { in: 'body', type: 'array' },
          body: { in: 'body', type: 'string', required: true },
          lock: { in: 'body', type: 'boolean' },
        },
      },
      key: 'github',
    },
  ])
})

t.test('an operation of Swagger 2.0 becomes a row', async (t) => {
  const { tools } = rowsOf({
    swagger: '2.0',
    host: 'old.test:8443',
    basePath: '/api/',
    schemes: ['http', 'https'],
    paths: {
      '/pets/{id}': {
        put: {
          operationId: 'putPet',
          parameters: [
            { name: 'id', in: 'path', type: 'integer', required: true },
            { name: 'tags', in: 'query', type: 'array' },
            {
              name: 'pet',
              in: 'body',
              required: true,
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' } },
              },
            },
          ],
        },
      },
    },
  })
  t.match(tools, [
    {
      name: 'API_PUT_PET',
      summary: 'PUT /pets/{id}',
      scheme: 'https',
      host: 'old.test',
      port: 8443,
      path: '/api/pets/{id}',
      args: {
        properties: {
          id: { in: 'path', type: 'integer', required: true },
          tags: { in: 'query', type: 'array' },
          name: { in: 'body', type: 'string', required: true },
        },
      },
    },
  ])
})

t.test('where a row is called', async (t) => {
  const at = (servers: readonly unknown[] | undefined, host?: string) => {
    const document = { openapi: '3.0.3', servers, paths: { '/x': { get: {} } } }
    const { tools, skipped } = rowsOf(document, host === undefined ? {} : { host })
    const [tool] = tools
    return tool ? `${tool.scheme} ${tool.host} ${tool.port ?? ''} ${tool.path}` : skipped[0]?.why
  }
  t.equal(at([{ url: 'https://API.test/base/' }]), 'https api.test  /base/x')
  t.equal(at([{ url: 'http://api.test:8080' }]), 'http api.test 8080 /x')
  t.equal(
    at([{ url: 'https://{region}.api.test', variables: { region: { default: 'eu' } } }]),
    'https eu.api.test  /x',
  )
  t.match(at([{ url: 'https://{region}.api.test' }]), /host \{region\}\.api\.test.*--host/)
  t.match(at([{ url: '/v2' }]), /names no host.*--host/)
  t.match(at(undefined), /names no host/)
  t.equal(at([{ url: '/v2' }], 'given.test:444'), 'https given.test 444 /v2/x')
  t.equal(at([{ url: 'https://api.test/v2' }], 'given.test'), 'https given.test  /v2/x')
})

t.test('what cannot be a row is skipped with its reason, and the rest stays', async (t) => {
  const { tools, skipped } = rowsOf(
    documentOf({
      '/good': { get: { operationId: 'good' } },
      '/part-{of}.json': { get: { operationId: 'part' } },
      '/file{of}': { get: { operationId: 'both' } },
      '/{of}.json': { get: { operationId: 'more' } },
      '/side{by}{side}': { get: {} },
      '/#fragment': { post: {} },
      '/q?a=b': { get: {} },
      '/a/{x}': { get: { operationId: 'first' } },
      '/a/{y}': { get: { operationId: 'second' } },
      '/twice/{x}/{x}': { get: {} },
      '/nothing': 'no path item',
      '/broken': { get: 'no operation', 'x-other': {} },
    }),
  )
  t.same(
    tools.map(({ name }) => name),
    ['API_GOOD', 'API_PART', 'API_BOTH', 'API_FIRST'],
  )
  t.same(
    skipped.map(({ at }) => at),
    [
      'GET /{of}.json',
      'GET /side{by}{side}',
      'POST /#fragment',
      'GET /q?a=b',
      'GET /a/{y}',
      'GET /twice/{x}/{x}',
    ],
  )
  t.match(skipped[0], { why: 'its route is that of API_BOTH, /v1/file{of}' })
  t.match(skipped[4], { why: 'its route is that of API_FIRST, /v1/a/{x}' })
  for (const { why } of skipped) t.ok(why.length > 10, why)
})

t.test('an argument that has no place is left out, and that is noted', async (t) => {
  const { tools, notes } = rowsOf(
    documentOf({
      '/{id}': {
        get: {
          operationId: 'get',
          parameters: [
            { name: 'id', in: 'query', schema: {} },
            { name: 'gone', in: 'path', schema: {} },
            { name: 'session', in: 'cookie', schema: {} },
          ],
          requestBody: { content: { 'application/json': { schema: { type: 'array' } } } },
        },
      },
    }),
  )
  t.same(Object.keys(tools[0]!.args.properties), ['id', 'body'])
  t.same(
    notes.map(({ why }) => why),
    [
      'the cookie argument session is left out',
      'the path argument gone is left out: it is not in the path',
      'the query argument id is left out: the path has one of that name',
    ],
  )
})

t.test('what is no document', async (t) => {
  for (const document of [null, [], {}, { openapi: '4.0.0' }, { swagger: '1.2' }, 'text']) {
    const rows = rowsOfOpenApi(document, { prefix: 'API' })
    t.match(rows, { ok: false, problem: { repair: /OpenAPI 3\.0 or 3\.1/ } })
  }
})

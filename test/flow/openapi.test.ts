import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { VIEW_NAMES } from '../../catalog/index.ts'
import { flow } from '../helpers/gateway.ts'
import { record } from '../adapters/ledger/ingest/rig.ts'
import { askOwner, mintGrant, sendLines, type OwnerAnswer } from '../helpers/owner.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { answerJson } from '../helpers/upstream.ts'

// What a whole gateway answers, held against the document that it serves.

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: object
}

interface OperationObject {
  readonly responses: Readonly<Record<string, ResponseObject>>
}

interface ResponseObject {
  readonly content: Readonly<Record<string, object>>
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Gives the validator of an answer, or tells why the document has none for it. */
function createJudge(document: Document) {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  ajv.addFormat('date-time', RFC_3339)
  ajv.addVocabulary(['openapi', 'info', 'security', 'paths', 'components'])
  ajv.addSchema(document, 'doc')
  return (operation: string, { status, type }: OwnerAnswer): ValidateFunction => {
    const [method = '', path = ''] = operation.split(' ')
    const media = type.split(';')[0] ?? ''
    const answer = document.paths[path]?.[method.toLowerCase()]?.responses[status]
    if (answer?.content[media] === undefined)
      throw new Error(`${operation}: ${status} ${media} is not documented`)
    const steps = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      media,
    ]
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const validate = ajv.getSchema(`doc#/${encodeURI(pointer)}/schema`)
    if (validate === undefined) throw new Error(`${operation}: no schema`)
    return validate
  }
}

const LINES = ['tools = HTTP_*', 'uses <= 9', 'task = T-1']
const VALUE = 'sk-person-0123456789abcdef'

flow(
  'every answer of the owner doors is as the document says',
  {
    rows: [{ name: 'API_ISSUES', method: 'GET', path: '/issues' }],
    serve: (_req, res) => answerJson(res, [{ number: 1 }, { number: 2 }]),
    routes: [
      {
        name: 'own',
        hosts: ['own.test'],
        keys: [{ name: 'mine', personal: true, header: 'x-key' }],
      },
    ],
    config: {
      persons: { key: { command: ['printf', '%s', 'eS8J2mQvX4nTzR7kL0wYc5HbGd1FpUaV'] } },
      owner: {
        send: { command: ['sh', '-c', 'test "$NARROWGATE_TO" = alice'], base: 'https://gate.test' },
      },
    },
  },
  async (t, gateway) => {
    const document = (await askOwner(gateway, 'GET', '/api/openapi.json'))
      .body as unknown as Document
    const judge = createJudge(document)
    const seen = new Set<string>()
    const fields: Record<string, string> = {}
    const check = async (operation: string, path: string, status: number, body?: object) => {
      const [method = ''] = operation.split(' ')
      const answer = await askOwner({ ...gateway, fields }, method, path, body)
      t.equal(answer.status, status, `${operation}: ${JSON.stringify(answer.body)}`)
      const validate = judge(operation, answer)
      const value = answer.body['text'] ?? answer.body
      t.ok(validate(value), `${operation} ${status}: ${JSON.stringify(validate.errors)}`)
      if (status < 300) seen.add(operation)
      return answer.body
    }
    const { id, token } = await mintGrant(gateway, ...LINES)
    const child = await check('POST /api/grants/narrow', '/api/grants/narrow', 200, {
      token,
      lines: ['ways = proxy,mount'],
    })
    let kept: string | undefined
    for (const shape of SHAPES) {
      const asked = await gateway.ask(shape, { token })
      kept ??= asked.header('receipt')
      await gateway.ask(shape, { token: String(child['token']) })
    }
    const refused = await gateway.ask('absolute', { token: `${token}x` })
    const post = (what: string) =>
      [`POST /api/grants/{id}/${what}`, `/api/grants/${id}/${what}`] as const

    for (const path of ['/healthz', '/readyz', '/metrics', '/api/status', '/api/openapi.json'])
      await check(`GET ${path}`, path, 200)
    await check('GET /api/grants/axes', '/api/grants/axes', 200)
    await check('POST /api/grants', '/api/grants', 201, { lines: LINES })
    await check('POST /api/grants', '/api/grants', 201, { lines: ['tools = A'] })
    await check('POST /api/grants', '/api/grants', 409, { id, lines: LINES })
    await check('POST /api/grants', '/api/grants', 400, { lines: ['moon = full'] })
    await check('POST /api/grants', '/api/grants', 400, { line: 'tools = A' })
    await check(...post('leash'), 200, { lines: ['uses <= 8', 'tools = HTTP_GET'] })
    await check(...post('leash'), 400, { lines: ['keys = bob'] })
    await check(...post('send'), 200, { token, to: 'alice' })
    await check(...post('send'), 502, { token, to: 'bob' })
    await check('GET /api/grants/{id}', `/api/grants/${id}`, 200)
    await check('GET /api/grants/{id}', '/api/grants/nobody', 404)
    await check(...post('revoke'), 200)
    await check(...post('revoke'), 400, { link: 1 })
    await check('GET /api/grants', '/api/grants', 200)

    await check('POST /api/persons', '/api/persons', 201, { id: 'alice' })
    await check('POST /api/persons', '/api/persons', 201)
    await check('POST /api/persons', '/api/persons', 409, { id: 'alice' })
    const session = (who: string) =>
      ['POST /api/persons/{id}/session', `/api/persons/${who}/session`] as const
    await check(...session('alice'), 201, { seconds: 60 })
    await check(...session('nobody'), 404)
    const key = (name: string) =>
      ['PUT /api/persons/{id}/keys/{name}', `/api/persons/alice/keys/${name}`] as const
    await check(...key('mine'), 200, { value: VALUE })
    await check(...key('other'), 404, { value: VALUE })
    await check(...key('mine'), 400, { value: 'short' })
    await check('GET /api/persons', '/api/persons', 200)

    const why = { token, method: 'GET', url: 'https://api.test/x' }
    await check('POST /api/why', '/api/why', 200, why)
    await check('POST /api/why', '/api/why', 200, { ...why, method: 'DELETE', cedar: true })
    await check('POST /api/why', '/api/why', 400, { ...why, uri: '' })

    await check('GET /api/tools', '/api/tools?light=1', 200)
    await check('GET /api/tools', '/api/tools?want={', 400)
    await check('GET /api/contracts/{tool}', '/api/contracts/API_ISSUES', 200)
    await check('GET /api/contracts/{tool}', '/api/contracts/NOTHING', 404)
    await check('GET /api/directory/query', '/api/directory/query?q=issues', 200)
    await check('GET /api/directory/query', '/api/directory/query', 400)

    await check('GET /api/receipts', '/api/receipts?limit=2', 200)
    await check('GET /api/receipts', '/api/receipts?limit=x', 400)
    for (const view of VIEW_NAMES) {
      const path = `/api/ledger/${view}`
      await check(`GET ${path}`, `${path}?limit=1`, 200)
      await check(`GET ${path}`, `${path}?shape=first`, 200)
      await check(`GET ${path}`, `${path}?format=ndjson`, 200)
      await check(`GET ${path}`, `${path}?format=csv`, 200)
      await check(`GET ${path}`, `${path}?moon=full`, 400)
      await check(`POST ${path}`, path, 200, {
        want: { aggregate: { count: true, p95: ['ms'] } },
      })
      await check(`POST ${path}`, path, 400, { were: {} })
    }
    const ask = ['GET /api/ledger/ask', '/api/ledger/ask'] as const
    await check(ask[0], `${ask[1]}?q=refused+calls+to+moon+by+tool`, 200)
    await check(...ask, 400)
    await check('GET /api/ledger/feed', '/api/ledger/feed', 200)
    await check('GET /api/ledger/feed', '/api/ledger/feed?after=x', 400)
    const proof = (what: string, query: string) =>
      [`GET /api/ledger/proof/${what}`, `/api/ledger/proof/${what}?${query}`] as const
    await check(...proof('inclusion', `receipt=${refused.header('receipt')}`), 200)
    await check(...proof('inclusion', 'receipt=none'), 404)
    await check(...proof('consistency', 'from=1'), 200)
    await check(...proof('consistency', 'from=2&to=1'), 404)
    await check('GET /api/ledger/checkpoint', '/api/ledger/checkpoint', 200)
    const retain = ['POST /api/ledger/retain', '/api/ledger/retain'] as const
    await check(...retain, 200, { before: '2020-01-01T00:00:00Z' })
    await check(...retain, 400, { before: 'yesterday' })
    await check('GET /api/ledger/checkpoint', '/api/ledger/checkpoint?size=x', 400)
    const [lines = []] = await record(t, 2)
    for (const [sent, status] of [
      [lines, 200],
      [lines.slice(1), 400],
    ] as const) {
      const answer = await sendLines(gateway, sent)
      t.equal(answer.status, status, JSON.stringify(answer.body))
      const validate = judge('POST /api/ledger/ingest', answer)
      t.ok(validate(answer.body), JSON.stringify(validate.errors))
    }
    seen.add('POST /api/ledger/ingest')
    const object = '/api/store/{bucket}/{key}'
    await check(`PUT ${object}`, '/api/store/default/a/b', 200, { any: 'thing' })
    await check(`PUT ${object}`, '/api/store/ledger/a', 403, { any: 'thing' })
    await check(`GET ${object}`, '/api/store/default/none', 404)
    await check('GET /api/store/{bucket}', '/api/store/default?include=http_metadata,body', 200)
    await check('GET /api/store/{bucket}', '/api/store/default?limit=0', 400)
    for (const [method, status] of [
      ['GET', 200],
      ['DELETE', 204],
    ] as const) {
      const answer = await askOwner(gateway, method, '/api/store/default/a/b')
      t.equal(answer.status, status)
      const { content } = document.paths[object]?.[method.toLowerCase()]?.responses[status] ?? {}
      t.strictSame(content, status === 200 ? { '*/*': {} } : undefined, 'bytes, or nothing')
      seen.add(`${method} ${object}`)
    }
    const article = '/api/jarticles/{slug}'
    const first = { slug: 'first', title: 'First' }
    await check('POST /api/jarticles', '/api/jarticles', 201, { from: { task: 'T-1' } })
    const { hash } = await check('POST /api/jarticles', '/api/jarticles', 201, first)
    await check('POST /api/jarticles', '/api/jarticles', 409, first)
    await check('POST /api/jarticles', '/api/jarticles', 400, { ...first, moon: 'full' })
    await check('GET /api/jarticles', '/api/jarticles', 200)
    await check('GET /api/jarticles', '/api/jarticles?want=slug', 200)
    await check(`GET ${article}`, '/api/jarticles/first', 200)
    await check(`GET ${article}`, '/api/jarticles/none', 404)
    await check(`POST ${article}/verify`, '/api/jarticles/task-t-1/verify', 200)
    await check(`PUT ${article}`, '/api/jarticles/first', 428, first)
    fields['if-match'] = `"${String(hash)}"`
    await check(`PUT ${article}`, '/api/jarticles/first', 200, { ...first, kind: 'x' })
    await check(`PATCH ${article}`, '/api/jarticles/first', 412, { kind: 'y' })
    fields['if-match'] =
      `"${String((await askOwner(gateway, 'GET', '/api/jarticles/first')).body['hash'])}"`
    const patched = await check(`PATCH ${article}`, '/api/jarticles/first', 200, { kind: 'y' })
    fields['if-match'] = `"${String(patched['hash'])}"`
    for (const [asked, operation, status] of [
      ['GET /a/first', 'GET /a/{file}', 200],
      ['DELETE /api/jarticles/first', `DELETE ${article}`, 204],
    ] as const) {
      const [method = '', path = ''] = asked.split(' ')
      t.equal((await askOwner({ ...gateway, fields }, method, path)).status, status, asked)
      seen.add(operation)
    }
    for (const name of ['receipt', 'event'])
      await check(`GET /api/ledger/schema/${name}.json`, `/api/ledger/schema/${name}.json`, 200)
    const receipt = (name = '', query = '') =>
      ['GET /ledger/exchanges/{file}', `/ledger/exchanges/${name}.json${query}`] as const
    await check(...receipt(refused.header('receipt')), 200)
    await check(...receipt('none'), 404)
    for (const want of [
      'number',
      '{"select":["number"],"want":{"format":"csv"}}',
      '{"want":{"format":"ndjson"}}',
    ])
      await check(...receipt(kept, `?want=${encodeURIComponent(want)}`), 200)
    await check(...receipt(kept, '?want={'), 400)
    await check(...receipt(kept, '?wish=number'), 400)

    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => name !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    t.same([...seen].toSorted(), all.toSorted(), 'every operation was asked')
  },
)

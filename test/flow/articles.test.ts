import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { statePaths } from '../../gateway/state/paths.ts'
import { canonicalJson, type Article } from '../../catalog/index.ts'
import { eventually, flow, type TestGateway } from '../helpers/gateway.ts'
import { answerJson } from '../helpers/upstream.ts'

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly type: string
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

type Fields = Readonly<Record<string, string>>

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const body = /[/+]json/.test(type) && text !== '' ? (JSON.parse(text) as object) : {}
  const etag = response.headers.get('etag')
  return { status: response.status, etag, type, text, body: body as Answer['body'] }
}

/** The owner's doors, with fields of the request's own. */
function ownerOf({ gateway, state }: TestGateway) {
  const key = readFileSync(statePaths(state).ownerKey, 'utf8').trim()
  return async (method: string, path: string, body?: object, fields: Fields = {}) =>
    read(
      await fetch(`http://${gateway.addresses.owner}${path}`, {
        method,
        headers: {
          'x-narrowgate-key': key,
          ...(body && { 'content-type': 'application/json' }),
          ...fields,
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
}

async function asHolder({ proxyPort }: TestGateway, path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return read(await fetch(`http://127.0.0.1:${proxyPort}${path}`, { headers }))
}

async function runAs({ proxyPort }: TestGateway, token: string, form: object) {
  return read(
    await fetch(`http://127.0.0.1:${proxyPort}/g/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(form),
    }),
  )
}

const matching = (etag: string | null): Fields => ({ 'if-match': etag ?? '' })

function hashIn(body: Answer['body']): string {
  const { hash: _hash, updated: _updated, ...hashed } = body
  return createHash('sha256').update(canonicalJson(hashed)).digest('hex')
}

const codes = ({ status, body }: Answer) => [status, body['code']]

await flow(
  'articles: written under their hash, read, verified, made of a task',
  { serve: (_req, res) => answerJson(res, { said: 'all is "well"' }) },
  async (t, gateway) => {
    const owner = ownerOf(gateway)
    await t.test('made, replaced, patched and deleted', async (t) => {
      const made = await owner('POST', '/api/jarticles', { slug: 'first', title: 'The first' })
      t.equal(made.status, 201)
      t.equal(made.body['hash'], hashIn(made.body), 'its hash is that of its canonical text')
      t.equal(made.etag, `"${String(made.body['hash'])}"`)
      t.equal(made.text, canonicalJson(made.body))
      t.strictSame(codes(await owner('POST', '/api/jarticles', { slug: 'first', title: 'x' })), [
        409,
        'id_taken',
      ])
      t.strictSame((await owner('GET', '/api/jarticles/first')).body, made.body)

      const round = { ...made.body, title: 'The same', hash: 'a'.repeat(64) }
      const path = '/api/jarticles/first'
      t.strictSame(codes(await owner('PUT', path, round)), [428, 'precondition_required'])
      const wrong = await owner('PUT', path, round, matching(`"${'a'.repeat(64)}"`))
      t.strictSame(codes(wrong), [412, 'precondition_failed'])
      t.equal(wrong.etag, made.etag, 'who comes too late is told the present hash')
      t.strictSame(codes(await owner('PUT', path, round, matching('*'))), [
        400,
        'malformed_request',
      ])
      const put = await owner('PUT', path, round, matching(made.etag))
      t.equal(put.status, 200)
      t.equal(put.body['title'], 'The same')
      t.equal(put.body['created'], made.body['created'])
      t.equal(put.body['hash'], hashIn(put.body), 'whatever hash was sent')

      const patch = { status: 'published', facts: { a: 1, b: { c: 2, d: 3 } } }
      const patched = await owner('PATCH', path, patch, {
        ...matching(put.etag),
        'content-type': 'application/merge-patch+json',
      })
      t.match(patched.body, { title: 'The same', status: 'published', facts: { b: { d: 3 } } })
      const less = { facts: { a: null, b: { c: null } } }
      const merged = await owner('PATCH', path, less, matching(patched.etag))
      t.strictSame(merged.body['facts'], { b: { d: 3 } })
      t.strictSame(
        codes(await owner('PATCH', path, { slug: 'second' }, matching(merged.etag))),
        [400, 'malformed_request'],
        'a slug stays',
      )
      const bad = await owner('PATCH', path, { colour: 1, kind: 'A B' }, matching(merged.etag))
      t.match(bad.body, {
        code: 'malformed_request',
        reasons: [{ axis: 'kind' }, { axis: 'colour' }],
      })

      t.strictSame(codes(await owner('DELETE', path)), [428, 'precondition_required'])
      t.strictSame(codes(await owner('DELETE', path, undefined, matching(put.etag))), [
        412,
        'precondition_failed',
      ])
      t.equal((await owner('DELETE', path, undefined, matching(merged.etag))).status, 204)
      t.equal((await owner('GET', path)).status, 404)
      t.equal((await owner('PUT', path, round, matching(merged.etag))).status, 404)
      const { text } = await owner('GET', '/api/jarticles')
      t.equal(text, '[]', 'what was deleted is in no list')
      t.equal((await owner('POST', '/api/jarticles', { slug: 'first', title: 'x' })).status, 201)

      const told = gateway.records().filter(({ event }) => String(event).startsWith('article_'))
      const last = merged.body['hash']
      t.match(told.slice(0, 5), [
        { event: 'article_created', subject: 'first', data: { hash: made.body['hash'] } },
        { event: 'article_changed', data: { was: made.body['hash'], hash: put.body['hash'] } },
        { event: 'article_changed', data: { was: put.body['hash'] } },
        { event: 'article_changed', data: { hash: last } },
        { event: 'article_deleted', data: { was: last } },
      ])
    })

    await t.test('of twenty writers at one time one comes through', async (t) => {
      const { etag } = await owner('POST', '/api/jarticles', { slug: 'race', title: 'start' })
      const numbers = Array.from({ length: 20 }, (_, at) => at)
      const puts = await Promise.all(
        numbers.map((at) =>
          owner('PUT', '/api/jarticles/race', { slug: 'race', title: `w${at}` }, matching(etag)),
        ),
      )
      const won = puts.filter(({ status }) => status === 200)
      t.equal(won.length, 1)
      t.equal(puts.filter(({ status }) => status === 412).length, 19)
      const now = await owner('GET', '/api/jarticles/race')
      t.equal(now.etag, won[0]?.etag)
      t.ok(
        puts.every((put) => put.etag === now.etag),
        'all are told the hash that came of it',
      )

      const made = await Promise.all(
        numbers.map((at) => owner('POST', '/api/jarticles', { slug: 'born', title: `w${at}` })),
      )
      t.equal(made.filter(({ status }) => status === 201).length, 1)
      const born = await owner('GET', '/api/jarticles/born')
      const ends = await Promise.all([
        owner('DELETE', '/api/jarticles/born', undefined, matching(born.etag)),
        ...numbers.map((at) =>
          owner('PATCH', '/api/jarticles/born', { title: `p${at}` }, matching(born.etag)),
        ),
      ])
      t.equal(ends.filter(({ status }) => status < 300).length, 1, 'a deletion is one of them')
    })

    await t.test('listed as other listings are', async (t) => {
      await owner('POST', '/api/jarticles', { slug: 'tagged', title: 'B', tags: ['x'] })
      const list = async (want: object) =>
        owner('GET', `/api/jarticles?want=${encodeURIComponent(JSON.stringify(want))}`)
      const { body } = await list({ where: { kind: 'note' }, select: ['slug'], order: ['-slug'] })
      t.strictSame(body, [{ slug: 'tagged' }, { slug: 'race' }, { slug: 'first' }])
      t.notOk('blocks' in ((await list({})).body as unknown as object[])[0]!)
      t.equal((await owner('GET', '/api/jarticles?where=1')).status, 400)
    })

    const mine = gateway.mint('tools = HTTP_*', 'task = T-7/3')
    const other = gateway.mint('tools = HTTP_*', 'task = T-70')
    const call = await gateway.ask('absolute', { token: mine, path: '/said' })
    await gateway.ask('absolute', { token: gateway.mint('tools = A', 'task = T-7') })
    await gateway.ask('absolute', { token: other })
    const id = String(call.header('receipt'))
    await eventually(async () => (await gateway.receipts()).length === 3)
    const receipt = (await gateway.receipts()).find((each) => each['id'] === id)
    const { body: sha256 } = Object(receipt?.['response']) as { readonly body: string }

    await t.test('sources are found, changed or missing', async (t) => {
      const put = await owner('PUT', '/api/store/default/notes.txt', { kept: 'word' })
      t.equal(put.status, 200)
      const object = (await owner('GET', '/api/store/default/notes.txt')).text
      const hash = createHash('sha256').update(object).digest('hex')
      const of = { receipt: id, part: 'response', sha256 }
      const sources = [
        { ...of, quote: 'all is "well"' },
        { ...of, quote: 'all is lost' },
        { ...of, sha256: 'b'.repeat(64) },
        { ...of, receipt: 'nothing' },
        { object: 'default/notes.txt', sha256: hash, quote: 'kept' },
        { object: 'default/none', sha256: hash },
        { object: 'nowhere/none', sha256: hash },
        { ...of, part: 'request' },
      ]
      await owner('POST', '/api/jarticles', { slug: 'cites', title: 'Cites', sources })
      const { body } = await owner('POST', '/api/jarticles/cites/verify')
      t.strictSame(
        (body['sources'] as { verdict: string }[]).map(({ verdict }) => verdict),
        ['found', 'changed', 'changed', 'missing', 'found', 'missing', 'missing', 'missing'],
      )
      t.match(body['sources'], [{ source: 0, sha256, quoted: true }, { quoted: false }])
      await owner('PUT', '/api/store/default/notes.txt', { kept: 'words' })
      const again = await owner('POST', '/api/jarticles/cites/verify')
      t.match((again.body['sources'] as object[])[4], { verdict: 'changed', quoted: true })
    })

    await t.test('a task becomes an article in one call', async (t) => {
      const made = await owner('POST', '/api/jarticles', { from: { task: 'T-7' } })
      t.equal(made.status, 201, made.text)
      t.match(made.body, {
        slug: 'task-t-7',
        title: 'Task T-7',
        kind: 'task',
        facts: { calls: 2, refused: 1, allowed: 1, response_bytes: 26 },
      })
      const table = (made.body['blocks'] as Article['blocks']).find(({ type }) => type === 'table')
      t.equal(table?.type === 'table' ? table.rows.length : 0, 2, 'T-70 is another task')
      t.match(made.body['sources'], [{ receipt: id, part: 'response', sha256 }])
      const verified = await owner('POST', '/api/jarticles/task-t-7/verify')
      t.match(verified.body['sources'], [{ verdict: 'found' }])
      t.equal((await owner('POST', '/api/jarticles', { from: { task: 'T-9' } })).status, 404)
      const odd = { from: { task: 'T-7', x: 1 }, kind: 'x' }
      t.match((await owner('POST', '/api/jarticles', odd)).body, {
        code: 'unknown_field',
        reasons: [{ axis: 'kind' }, { axis: 'from.x' }],
      })
    })

    await t.test('holders read what is published, and of the ledger their own', async (t) => {
      const ledger = (more: object) => ({ type: 'ledger', ...more })
      const article = {
        slug: 'open',
        title: 'Open',
        status: 'published',
        below: ['first', 'nothing'],
        blocks: [
          ledger({ task: 'T-7' }),
          ledger({ task: 'T-70' }),
          ledger({ query: { view: 'exchanges', select: ['task'] } }),
          ledger({ query: { view: 'tasks' }, title: 'All tasks' }),
          ledger({ plot: { view: 'exchanges', by: 'task', figure: 'count' } }),
        ],
      }
      const made = await owner('POST', '/api/jarticles', article)
      t.equal(made.status, 201, made.text)
      t.equal((await asHolder(gateway, '/a/open')).status, 401, 'not without a token')
      t.strictSame(codes(await asHolder(gateway, '/a/open', gateway.mint('ways = rest,mcp'))), [
        403,
        'way_not_granted',
      ])
      t.equal((await asHolder(gateway, '/a/first', mine)).status, 404, 'a draft')
      t.equal((await asHolder(gateway, '/a/no', mine)).status, 404)
      const odd = await asHolder(gateway, '/a/open?x=1', mine)
      t.strictSame(codes(odd), [400, 'unknown_field'])
      const json = await asHolder(gateway, '/a/open.json', mine)
      t.strictSame([json.type, json.etag], ['application/json', made.etag])
      t.match(json.body, { article: { slug: 'open' }, hash: made.body['hash'], sources: [] })

      const page = await asHolder(gateway, '/a/open', mine)
      t.match(page.type, 'text/html')
      t.match(page.text, id, 'the receipt of its own call')
      t.notMatch(page.text, /T-70<\/code>/, 'not that of another task')
      t.match(page.text, 'The view tasks is for the owner alone.')
      t.match(page.text, /No article <code>first<\/code>/, 'what it may not read is missing to it')
      t.match((await asHolder(gateway, `/g/${mine}/a/open`)).text, id, 'in the path too')
      const listed = (token: string, op: string, more: object = {}) =>
        runAs(gateway, token, { target: 'articles', op, ...more })
      const both = gateway.mint('ways = proof,rest')
      const { body } = await listed(both, 'list', { select: ['slug', 'status'] })
      t.strictSame(body['rows'], [{ slug: 'open', status: 'published' }], 'no draft among them')
      t.match(await listed(both, 'get', { where: { slug: 'open' } }), {
        body: { row: { hash: made.body['hash'] } },
      })
      t.match(await listed(both, 'get', { where: { slug: 'first' } }), { status: 404 })
      t.match(await listed(both, 'count'), { body: { count: 1 } })
      t.match(await listed(gateway.mint('ways = rest'), 'list'), {
        status: 403,
        body: { code: 'way_not_granted' },
      })
      const above = gateway.mint('ways = proof', 'task = T-7')
      t.match((await asHolder(gateway, '/a/open.md', above)).text, id, 'a task above sees it')
      const stranger = await asHolder(gateway, '/a/open.md', gateway.mint('ways = proof'))
      t.notMatch(stranger.text, id, 'no chain and no task: no receipt')

      const all = await owner('GET', '/a/open.md')
      t.match(all.text, /\| T-70 \|/)
      t.match(all.text, /\*\*All tasks\*\*/)
      t.match(all.text, '- [x](first) ')
      t.equal((await owner('GET', '/a/open')).status, 200)
      t.equal(
        (await fetch(`http://${gateway.gateway.addresses.owner}/a/open`)).status,
        401,
        'the owner’s own address takes the owner key alone',
      )
    })

    await t.test('the bucket is shown, and written by no other door', async (t) => {
      const path = '/api/store/articles/open.json'
      t.equal((await owner('GET', path)).status, 200)
      t.strictSame(codes(await owner('PUT', path, {})), [403, 'read_only'])
      const token = gateway.mint('tools = STORE_*')
      const held = await asHolder(gateway, path, token)
      t.equal(held.status, 404, 'no holder’s')
    })
  },
)

import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openLedgerIndex } from '../../../adapters/ledger/index/open.ts'
import { VIEW_NAMES } from '../../../catalog/index.ts'
import { patientIndex } from '../../../gateway/views/settle.ts'
import { makeFolder, openLog } from '../../adapters/ledger/rig.ts'
import { addExchange } from '../../adapters/ledger/index/rig.ts'
import { createRig, get, send, WITH_KEY, type Rig } from './_owner.ts'

/** Owner doors over a real log with five exchanges. */
async function openDoors(t: Test) {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  const index = await openLedgerIndex({ folder, file: join(folder, 'index.sqlite'), log })
  t.teardown(async () => {
    await index.close()
    await log.close()
  })
  const opened = (minute: number) => `2026-01-0${minute}T10:0${minute}:00.000Z`
  const outcome = (ms: number) => ({ outcome: 'allowed', status: 200, timing: { upstream: ms } })
  for (const at of [1, 2, 3])
    await addExchange(
      log,
      { id: `a${at}`, tool: 'GITHUB_A', task: 'T-7/1', opened: opened(at) },
      outcome(at * 10.5),
    )
  await addExchange(
    log,
    { id: 'b', tool: 'HTTP_GET', task: 'T-8', model: 'm-1', opened: opened(4) },
    outcome(7),
  )
  const reasons = [{ axis: 'uses', got: '1', repair: 'r', caveat: 'uses <= 1' }, { axis: 'tools' }]
  await log.refusal({ id: 'c', tool: 'GITHUB_B', code: 'uses_spent', reasons, opened: opened(5) })
  const rig = createRig({ index })
  return { rig, log, index }
}

function ask(rig: Rig, path: string) {
  return get(rig, `/api/ledger/${path}`, WITH_KEY)
}

t.test('every view answers, with plain parameters and in the grammar', async (t) => {
  const { rig } = await openDoors(t)
  for (const view of VIEW_NAMES)
    t.match(
      await ask(rig, view),
      { status: 200, body: { view, rows: Array, next: null, lag: 0 } },
      view,
    )
  t.match(await ask(rig, 'exchanges?tool=GITHUB_*&order=ms&limit=2&select=id,ms'), {
    body: {
      rows: [
        { id: 'a1', ms: 10.5 },
        { id: 'a2', ms: 21 },
      ],
      next: String,
      seq: 5,
    },
  })
  const question = { where: { tool: { prefix: 'GITHUB_' } }, select: ['id'], page: { limit: 1 } }
  t.match(await send(rig, 'POST', '/api/ledger/exchanges', question), {
    status: 200,
    body: { rows: [{ id: 'c' }] },
  })
  t.match(await ask(rig, `exchanges?q=${encodeURIComponent(JSON.stringify(question))}`), {
    body: { rows: [{ id: 'c' }] },
  })
  t.match(await ask(rig, 'exchanges?by=tool&p95=ms&order=-p95.ms'), {
    body: {
      figures: [
        { by: { tool: 'GITHUB_A' }, p95: { ms: 31.5 } },
        { by: { tool: 'HTTP_GET' }, p95: { ms: 7 } },
        { by: { tool: 'GITHUB_B' }, p95: { ms: null } },
      ],
    },
  })
  t.match(await ask(rig, 'exchanges?by=opened:day&count=true&since=2026-01-04'), {
    body: {
      figures: [{ by: { 'opened:day': '2026-01-05T00:00:00.000Z' }, count: 1 }, { count: 1 }],
    },
  })
  t.match(await ask(rig, 'refusals'), {
    body: {
      rows: [
        { id: 'c', code: 'uses_spent', axis: 'uses', axes: 'uses,tools', caveat: 'uses <= 1' },
      ],
    },
  })
  t.match(await ask(rig, 'turns'), { body: { rows: [{ id: 'b', model: 'm-1' }] } })
  t.match(await ask(rig, 'runs?order=run'), {
    body: {
      rows: [
        { run: 'T-7', tasks: 1, calls: 3, ms: 63 },
        { run: 'T-8', calls: 1, turns: 1 },
      ],
    },
  })
  t.match(await ask(rig, 'exchanges?shape=first&order=opened&select=id'), {
    body: { row: { id: 'a1' } },
  })
  t.match(await ask(rig, 'exchanges?shape=first&tool=nope'), { body: { row: null } })
  t.match(await ask(rig, 'exchanges?shape=count&outcome=allowed'), {
    body: { figures: { count: 4 } },
  })
})

interface Page {
  readonly rows: readonly { readonly id: string }[]
  readonly next: string | null
}

t.test('pages follow each other by their cursors', async (t) => {
  const { rig, log } = await openDoors(t)
  const ids: unknown[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await ask(rig, `exchanges?order=-task,ms&limit=2&select=id${after}`)
    const { rows, next }: Page = body as Page
    ids.push(...rows.map(({ id }) => id))
    cursor = next
    await log.refusal({ id: 'later' })
  }
  t.strictSame(ids.slice(0, 4), ['b', 'a1', 'a2', 'a3'])
  t.equal(ids.filter((id) => id === 'c').length, 1, 'what has no task comes last, and once')
  t.match(await ask(rig, 'exchanges?cursor=bm90LW91cnMtYXQtYWxsLW5vdA'), {
    status: 400,
    body: { code: 'malformed_request', reasons: [{ axis: 'page.cursor' }] },
  })
})

t.test('rows come as lines or as a table, with the cursor in a header', async (t) => {
  const { rig } = await openDoors(t)
  const lines = await ask(rig, 'exchanges?format=ndjson&select=id,code&limit=2')
  t.match(lines, {
    type: 'application/x-ndjson',
    body: '{"id":"c","code":"uses_spent"}\n{"id":"b"}\n',
  })
  t.type(lines.headers['next-cursor'], 'string')
  const table = await ask(rig, 'exchanges?format=csv&select=code,id,ms&limit=9')
  t.equal(table.type, 'text/csv; charset=utf-8')
  t.equal(table.body, 'code,id,ms\r\nuses_spent,c,\r\n,b,7\r\n,a3,31.5\r\n,a2,21\r\n,a1,10.5\r\n')
  t.equal(table.headers['next-cursor'], undefined)
  t.match(await ask(rig, 'exchanges?format=csv&limit=1'), { body: /^seq,id,opened,/ })
  t.match(await ask(rig, 'exchanges?max_bytes=10'), { status: 413, body: { code: 'too_large' } })
})

t.test('what is wrong is refused by its place', async (t) => {
  const { rig } = await openDoors(t)
  t.match(await ask(rig, 'exchanges?toool=x&status=many'), {
    status: 400,
    body: { code: 'unknown_field', reasons: [{ axis: 'toool' }, { axis: 'status' }] },
  })
  t.match(await send(rig, 'POST', '/api/ledger/exchanges', { where: { and: [{ nope: 1 }] } }), {
    status: 400,
    body: { code: 'unknown_field', reasons: [{ axis: 'where.and[0].nope' }] },
  })
  t.match(await send(rig, 'POST', '/api/ledger/exchanges', { were: {} }), {
    status: 400,
    body: { code: 'unknown_field' },
  })
  t.match(await send(rig, 'POST', '/api/ledger/exchanges?tool=x', {}), {
    status: 400,
    body: { code: 'unknown_field' },
  })
  t.match(await ask(rig, 'exchanges?min_seq=x'), {
    status: 400,
    body: { reasons: [{ axis: 'min_seq' }] },
  })
  t.match(await ask(rig, 'nothing'), { status: 404 })
})

t.test('min_seq waits for what was written, up to a bound', async (t) => {
  const { rig, log } = await openDoors(t)
  setTimeout(() => void log.refusal({ id: 'new' }), 300)
  t.match(await ask(rig, 'exchanges?min_seq=6&limit=1'), {
    status: 200,
    body: { rows: [{ id: 'new' }], seq: 6 },
  })
  const begun = performance.now()
  t.match(await ask(rig, 'exchanges?min_seq=7'), {
    status: 503,
    body: { code: 'index_behind' },
    headers: { 'retry-after': '2' },
  })
  t.ok(performance.now() - begun > 4000)
})

t.test('a database that is away refuses, and a long backlog is not waited for', async (t) => {
  const { index } = await openDoors(t)
  const lost = async () => {
    throw new Error('database `x` at y:1: gone')
  }
  const away = createRig({ index: patientIndex({ ...index, sync: lost, view: lost }) })
  t.match(await ask(away, 'exchanges'), {
    status: 503,
    body: { code: 'index_unavailable', reasons: [{ got: /gone/ }] },
  })
  const slow = createRig({
    index: patientIndex({ ...index, sync: () => new Promise(() => undefined) }),
  })
  t.match(await ask(slow, 'exchanges?limit=1'), { status: 200, body: { rows: [{ id: 'c' }] } })
})

t.test('a question in plain words is answered with what it was taken for', async (t) => {
  const { rig } = await openDoors(t)
  const question = 'refused calls by tool with purple hats since 2026-01-01'
  t.match(await ask(rig, `ask?q=${encodeURIComponent(question)}`), {
    status: 200,
    body: {
      understood: {
        view: 'exchanges',
        where: { and: [{ outcome: 'refused' }, { opened: { gte: '2026-01-01T00:00:00.000Z' } }] },
        want: { aggregate: { count: true, by: ['tool'] } },
      },
      not_understood: ['purple', 'hats'],
      figures: [{ by: { tool: 'GITHUB_B' }, count: 1 }],
      next: null,
      lag: 0,
    },
  })
  const { body } = await ask(rig, 'ask?q=slowest+calls')
  const { understood, rows } = body as { understood: { view: string }; rows: unknown[] }
  const { view, ...query } = understood
  t.match(
    await send(rig, 'POST', `/api/ledger/${view}`, query),
    { body: { rows } },
    'the query gives the same',
  )
  t.match(await ask(rig, 'ask'), { status: 400, body: { reasons: [{ axis: 'q' }] } })
  t.match(await ask(rig, 'ask?q=x&limit=3'), {
    status: 400,
    body: { code: 'unknown_field', reasons: [{ axis: 'limit' }] },
  })
})

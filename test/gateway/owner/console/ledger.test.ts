import t from 'tap'
import type { Receipt, ReceiptQuery } from '../../../../adapters/ledger/port.ts'
import type { OwnerPorts } from '../../../../gateway/owner/ports.ts'
import { EMPTY_INDEX } from '../_owner.ts'
import { createConsoleRig } from './_console.ts'

/** Something that a page must show as the text it is, in every value of a record. */
const CANARY = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&amp;`

function indexOf(receipts: readonly Receipt[], asked: ReceiptQuery[] = []): OwnerPorts['index'] {
  return {
    ...EMPTY_INDEX,
    list: async (query) => {
      asked.push(query)
      return receipts.slice(0, query.limit)
    },
    get: async (id) => receipts.find((receipt) => receipt.id === id),
    counts: async () => ({ allowed: receipts.length }),
  }
}

function receipt(seq: number, more: object = {}): Receipt {
  return {
    id: `r${seq}`,
    seq,
    outcome: 'allowed',
    opened: '2026-01-01T00:00:00.000Z',
    tool: 'HTTP_GET',
    upstream: { method: 'GET', url: `https://api.test/${seq}` },
    status: 200,
    ...more,
  }
}

t.test('filters go to the index, empty ones do not, unknown ones are refused', async (t) => {
  const asked: ReceiptQuery[] = []
  const rig = await createConsoleRig({ index: indexOf([receipt(1)], asked) })
  const filters = {
    outcome: 'refused',
    tool: 'HTTP_GET',
    task: 'T-7',
    grant: 'g_1',
    code: 'uses_spent',
    host: 'api.test',
    since: '2026-01-01T00:00:00Z',
  }
  const address = `/console/ledger?${new URLSearchParams(filters).toString()}`
  asked.length = 0
  await rig.get(address)
  await rig.get('/console/ledger?outcome=&tool=&task=T-1&grant=&code=&host=&since=')
  t.strictSame(asked, [
    { where: filters, order: 'desc', limit: 50 },
    { where: { task: 'T-1' }, order: 'desc', limit: 50 },
  ])
  for (const query of ['since=yesterday', 'after=x', 'limit=5', 'order=asc', 'tool=A&tool=B'])
    t.equal((await rig.get(`/console/ledger?${query}`)).status, 400, query)
  const { text } = await rig.get(address)
  t.match(text, /<option selected>refused<\/option>/)
  t.match(text, /id="host"\s+name="host"\s+value="api\.test"/, 'the form keeps what was asked')
})

t.test('pages go by the cursor and keep the filters', async (t) => {
  const many = Array.from({ length: 60 }, (_, at) => receipt(100 - at))
  const rig = await createConsoleRig({ index: indexOf(many) })
  const first = await rig.get('/console/ledger?tool=HTTP_GET')
  t.ok(first.text.includes('href="/console/ledger?tool=HTTP_GET&amp;after=51"'), 'the way on')
  t.notMatch(first.text, '>Newest<')
  const few = await createConsoleRig({ index: indexOf(many.slice(0, 3)) })
  const last = await few.get('/console/ledger?tool=HTTP_GET&after=51')
  t.ok(last.text.includes('href="/console/ledger?tool=HTTP_GET"'), 'the way back')
  t.notMatch(last.text, '>Older<')
})

t.test('a receipt shows every field as text, whatever stands in it', async (t) => {
  const hostile = receipt(7, {
    outcome: 'refused',
    code: CANARY,
    opened: CANARY,
    closed: CANARY,
    tool: CANARY,
    task: CANARY,
    grant: CANARY,
    person: CANARY,
    door: CANARY,
    peer: CANARY,
    upstream: { method: CANARY, url: CANARY },
    envelope: {
      target: CANARY,
      args: { [CANARY]: [CANARY, { [CANARY]: CANARY }], none: [], nil: null },
    },
    reasons: [{ axis: CANARY, caveat: CANARY, got: CANARY, repair: CANARY }],
    would_refuse: [{ got: CANARY }],
  })
  const rig = await createConsoleRig({ index: indexOf([hostile]) })
  for (const page of ['/console', '/console/ledger', '/console/ledger/r7']) {
    const { status, text } = await rig.get(page)
    t.equal(status, 200, page)
    t.notMatch(text, '<script>alert', page)
    t.notMatch(text, '<img src=x', page)
    t.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;'), page)
    t.notMatch(text, /href="(?!\/console|#)/, 'no recorded value is an address')
  }
  const { text } = await rig.get('/console/ledger/r7')
  const paths = [...text.matchAll(/<dt>\s*<code>([^<]*)<\/code>/g)].map(([, path]) => path)
  for (const path of ['seq', 'person', 'upstream.url', 'reasons[0].repair', 'envelope.args.none'])
    t.ok(paths.includes(path), path)
  t.equal(paths.length, 25, 'every leaf has its row')
  t.equal((await rig.get('/console/ledger/r8')).status, 404)
})

import t from 'tap'
import { CHECKPOINT, createRig, get, WITH_KEY } from './_owner.ts'

t.test('a checkpoint is a note, the latest or one of a size', async (t) => {
  const rig = createRig()
  const latest = await get(rig, '/api/ledger/checkpoint', WITH_KEY)
  t.match(latest, { status: 200, body: CHECKPOINT.note })
  t.match(latest.headers['content-type'], /^text\/plain/)
  t.equal((await get(rig, '/api/ledger/checkpoint?size=3', WITH_KEY)).status, 200)
  t.match(await get(rig, '/api/ledger/checkpoint?size=8', WITH_KEY), {
    status: 404,
    body: { code: 'not_found', reasons: [{ axis: 'size', got: '`8` records' }] },
  })
})

t.test('proofs name what they prove, and the head that they hold against', async (t) => {
  const rig = createRig()
  const inclusion = await get(rig, '/api/ledger/proof/inclusion?receipt=r1', WITH_KEY)
  t.strictSame(inclusion.body, {
    receipt: 'r1',
    checkpoint: CHECKPOINT.note,
    records: [{ n: 6, line: 'line of r1', path: ['AA=='] }],
  })
  const consistency = (query: string) =>
    get(rig, `/api/ledger/proof/consistency?${query}`, WITH_KEY)
  t.strictSame((await consistency('from=2&to=5')).body, {
    from: 2,
    to: 5,
    path: ['AA=='],
    checkpoint: CHECKPOINT.note,
  })
  t.match((await consistency('from=2')).body, { to: 7 })
  t.match(await consistency('from=5&to=2'), { status: 404 })
  t.match(await consistency('from=5&to=70'), { status: 404 })
})

t.test('what is not asked rightly is refused', async (t) => {
  const rig = createRig()
  const cases: Readonly<Record<string, object>> = {
    'checkpoint?size=x': { code: 'malformed_request', reasons: [{ axis: 'size' }] },
    'checkpoint?sized=1': { code: 'unknown_field', reasons: [{ axis: 'sized' }] },
    'proof/inclusion': {
      code: 'malformed_request',
      reasons: [{ axis: 'receipt', got: 'nothing' }],
    },
    'proof/inclusion?receipt=nobody': { code: 'not_found' },
    'proof/consistency': { code: 'malformed_request', reasons: [{ axis: 'from', got: 'nothing' }] },
    'proof/consistency?from=1&from=2': { code: 'malformed_request', reasons: [{ axis: 'from' }] },
    'proof/consistency?from=-1': { code: 'malformed_request' },
  }
  for (const [path, body] of Object.entries(cases))
    t.match((await get(rig, `/api/ledger/${path}`, WITH_KEY)).body, body, path)
  t.equal((await get(rig, '/api/ledger/checkpoint')).status, 401)
})

t.test('a log that was changed has no proofs, and says why', async (t) => {
  const { ports } = createRig()
  const damaged = async () => {
    throw new Error('an inner text')
  }
  const proofs = {
    ...ports.proofs,
    at: damaged,
    inclusion: damaged,
    consistency: damaged,
    fault: () => 'record 3: the hash does not fit',
  }
  const rig = createRig({ proofs })
  for (const path of [
    'checkpoint?size=1',
    'proof/inclusion?receipt=r1',
    'proof/consistency?from=1',
  ])
    t.match(
      await get(rig, `/api/ledger/${path}`, WITH_KEY),
      { status: 503, body: { code: 'ledger_damaged', reasons: [{ got: /record 3/ }] } },
      path,
    )
  const broken = createRig({ proofs: { ...proofs, fault: () => undefined } })
  t.match(await get(broken, '/api/ledger/checkpoint?size=1', WITH_KEY), { status: 500 })
})

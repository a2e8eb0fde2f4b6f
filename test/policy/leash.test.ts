import fc from 'fast-check'
import t from 'tap'
import {
  createDecider,
  createLeashing,
  leashLink,
  type Leashing,
  narrowToken,
  mintToken,
  checkLeash,
  readLeash,
  verifyToken,
} from '../../policy/index.ts'
import { ask as anyAsk, line as anyLine, lines as anyLines } from './arbitraries.ts'
import {
  askOf,
  createCounters,
  KEY,
  neverRevoked,
  nodeDigests,
  RUNS_FACTOR,
  tokenOf,
} from './support.ts'

const decider = createDecider()

/** Leashes that can be changed under the tokens. */
function leashes(): { readonly put: (...lines: readonly string[]) => void; readonly on: Leashing } {
  let current: readonly string[] | undefined
  return {
    put: (...lines) => void (current = [...(current ?? []), ...lines]),
    on: createLeashing({ leashOf: (id) => (id === 'g_test' ? current : undefined) }, nodeDigests),
  }
}

t.test('a line on the grant narrows every token of it, in both engines', async (t) => {
  const { put, on } = leashes()
  const token = tokenOf('tools = A,B')
  t.equal(on(token), token, 'without a leash it is the token itself')
  t.equal(createLeashing({ leashOf: () => [] })(token), token, 'and so it is without a line')
  t.ok(decider.judge(on(token), askOf({ tool: 'B' })).allow)
  put('tools = A')
  t.ok(decider.judge(on(token), askOf({ tool: 'A' })).allow)
  const child = verifyToken(
    narrowToken(mintToken(KEY, 'g_test', ['tools = A,B']), ['ways = proxy']),
    [KEY],
  )
  for (const one of [token, child]) {
    const judged = decider.judge(on(one), askOf({ tool: 'B' }))
    t.match(judged, { allow: false, disagreement: false })
    t.match(judged.reasons, [{ code: 'tool_not_granted', caveat: 'tools = A', leash: true }])
  }
})

t.test('a line of the token itself is not called one of the leash', async (t) => {
  const { put, on } = leashes()
  put('tools = B')
  const { reasons } = decider.judge(on(tokenOf('tools = A')), askOf({ tool: 'C' }))
  t.strictSame(
    reasons.map(({ caveat, leash }) => [caveat, leash]),
    [
      ['tools = A', undefined],
      ['tools = B', true],
    ],
  )
  t.notOk('leash' in (reasons[0] ?? {}))
})

t.test('what was made is kept until a line is added', async (t) => {
  const { put, on } = leashes()
  const token = tokenOf('tools = A')
  put('ways = proxy')
  const first = on(token)
  t.equal(on(token), first)
  put('ways = mount')
  t.not(on(token), first)
  t.match(decider.judge(on(token), askOf({ tool: 'A' })).reasons, [{ caveat: 'ways = mount' }])
})

t.test('the earlier end counts, the token’s or the leash’s', async (t) => {
  const token = tokenOf('expires < 2026-11-30T00:00:00Z')
  for (const [line, end] of [
    ['expires < 2026-11-29T06:00:00Z', Date.UTC(2026, 10, 29, 6)],
    ['expires < 2027-01-01T00:00:00Z', Date.UTC(2026, 10, 30)],
  ] as const) {
    const { put, on } = leashes()
    put(line)
    t.equal(on(token).expires, end)
  }
  const { put, on } = leashes()
  put('tools = *')
  t.notOk('expires' in on(tokenOf('tools = *')), 'neither says one')
  put('expires < 2026-11-29T00:00:00Z')
  t.equal(on(tokenOf('tools = *')).expires, Date.UTC(2026, 10, 29))
  const decision = await decider.decide(on(tokenOf('tools = *')), askOf(), {
    uses: createCounters(),
    revocations: neverRevoked,
  })
  t.match(decision, { allow: false, reasons: [{ code: 'expired', leash: true }] })
})

t.test('its uses are counted from then on, for all tokens of the grant together', async (t) => {
  const { put, on } = leashes()
  const uses = createCounters()
  const wide = tokenOf('tools = *', 'uses <= 9')
  const narrow = tokenOf('tools = *', 'uses <= 9', 'ways = proxy')
  const call = (token: typeof wide) =>
    decider.decide(on(token), askOf(), { uses, revocations: neverRevoked })
  t.ok((await call(wide)).allow, 'before there was a leash')
  put('uses <= 2')
  t.ok((await call(wide)).allow)
  t.ok((await call(narrow)).allow)
  t.match(await call(wide), {
    allow: false,
    reasons: [{ code: 'uses_spent', caveat: 'uses <= 2', leash: true }],
  })
  t.equal((await uses.read([leashLink('g_test', 0)])).get(leashLink('g_test', 0)), 2)
  t.equal((await uses.read([wide.uses[0]?.link ?? ''])).get(wide.uses[0]?.link ?? ''), 3)
})

t.test('a counter of a leash has a name of its own', async (t) => {
  const names = ['g_1', 'g_2'].flatMap((id) => [0, 1, 10].map((at) => leashLink(id, at)))
  t.equal(new Set(names).size, names.length)
  for (const name of names) t.match(name, /^[A-Za-z0-9_-]{22}$/)
  t.equal(leashLink('g_1', 0), leashLink('g_1', 0, nodeDigests), 'whoever makes the digest')
})

t.test('lines that would narrow nothing are refused', async (t) => {
  for (const [line, code] of [
    ['keys = alice', 'keys_misplaced'],
    ['task = T-1', 'token_unknown_caveat'],
    ['delegate = no', 'token_unknown_caveat'],
    ['tool = A', 'token_unknown_caveat'],
  ] as const)
    t.throws(() => readLeash(['uses <= 1', line]), { name: 'TokenFault', code }, line)
  t.throws(() => readLeash(['task = T-1']), {
    name: 'TokenFault',
    reason: /^a leash cannot move the calls .* mint a grant with that task$/,
    axis: 'task',
    line: 'task = T-1',
  })
  t.throws(() => readLeash(['delegate = no']), {
    name: 'TokenFault',
    reason: /^a leash cannot see who narrows a token; revoke the link .*$/,
    axis: 'delegate',
    line: 'delegate = no',
  })
  t.throws(() => readLeash(Array(65).fill('uses <= 1')), {
    name: 'TokenFault',
    stage: 'caveat',
    reason: 'a leash has at most 64 lines; revoke the grant',
  })
  t.equal(readLeash(Array(64).fill('uses <= 1')).length, 64)
})

t.test('what is put on has at most 8 KiB with what is there; what is there holds', async (t) => {
  const long = `tools = ${'日'.repeat(1000)}`
  const full = [long, long, `tools = ${'x'.repeat(8192 - 2 * 3008 - 8)}`]
  t.equal(Buffer.byteLength(full.join('')), 8192)
  t.doesNotThrow(() => checkLeash(full))
  t.throws(() => checkLeash([...full.slice(0, 2), `${full[2]}x`]), {
    name: 'TokenFault',
    stage: 'caveat',
    message: /8193 bytes/,
  })
  t.throws(() => checkLeash(['moon = full']), { code: 'token_unknown_caveat' })
  t.equal(readLeash(Array<string>(10).fill(long)).length, 10)
})

t.test('a stored line that does not parse refuses', async (t) => {
  const { put, on } = leashes()
  put('moon = full')
  t.throws(() => on(tokenOf('tools = *')), { name: 'TokenFault', code: 'token_unknown_caveat' })
})

t.test('a call is let through where the token and every line of the leash allow it', async (t) => {
  const narrowing = anyLine.filter((line) => !line.startsWith('task '))
  const leash = fc.array(narrowing, { minLength: 1, maxLength: 4 })
  const asSaid = fc.property(anyLines, leash, anyAsk, (own, added, ask) => {
    const token = tokenOf(...own)
    const leashed = createLeashing({ leashOf: () => added })(token)
    const { allow, disagreement } = decider.judge(leashed, ask)
    const eachAllows = readLeash(added).every(({ clause }) => clause.refuses(ask) === undefined)
    return !disagreement && allow === (decider.judge(token, ask).allow && eachAllows)
  })
  t.doesNotThrow(() => fc.assert(asSaid, { numRuns: 1000 * RUNS_FACTOR }))
})

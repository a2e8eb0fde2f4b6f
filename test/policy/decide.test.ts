import t from 'tap'
import {
  type CedarEngine,
  createDecider,
  type DecisionPorts,
  type Revocations,
} from '../../policy/index.ts'
import { askOf, createCounters, neverRevoked, tokenOf } from './support.ts'

const decider = createDecider()

void t.test('an allowed call gets a permit for its target, and its uses are taken', async (t) => {
  const token = tokenOf('tools = EXA_*', 'uses <= 2', 'expires < 2027-01-01T00:00:00Z', 'uses <= 1')
  const uses = createCounters()
  const decision = await decider.decide(token, askOf(), { uses, revocations: neverRevoked })
  t.match(decision, {
    allow: true,
    permit: {
      target: askOf().target,
      tool: 'EXA_SEARCH',
      grant: 'g_test',
      link: token.link,
      expires: Date.UTC(2027, 0, 1),
    },
    reservation: { links: [token.links[2], token.links[4]] },
  })
  t.same(uses.reserved, [[token.links[2], token.links[4]]], 'all limits in one step')
  if (decision.allow) t.ok(Object.isFrozen(decision.permit))
})

void t.test('a token without uses or expiry takes and ends nothing', async (t) => {
  const uses = createCounters()
  const ports = { uses, revocations: neverRevoked }
  const decision = await decider.decide(tokenOf('tools = *'), askOf(), ports)
  t.match(decision, { allow: true, reservation: undefined })
  if (decision.allow) t.notOk('expires' in decision.permit)
  t.same(uses.reserved, [])
})

void t.test('every line that refuses is told, and no use is taken', async (t) => {
  const token = tokenOf('tools = B', 'uses <= 9', 'ways = mcp', 'expires < 2026-01-01T00:00:00Z')
  const uses = createCounters()
  const decision = await decider.decide(token, askOf(), { uses, revocations: neverRevoked })
  t.match(decision, {
    allow: false,
    reasons: [
      { code: 'tool_not_granted', axis: 'tools', caveat: 'tools = B', got: 'EXA_SEARCH' },
      { code: 'way_not_granted', axis: 'ways', caveat: 'ways = mcp', got: 'proxy' },
      { code: 'expired', axis: 'expires', got: '2026-11-29T00:00:00.000Z' },
    ],
  })
  t.same(uses.reserved, [])
})

void t.test('spent uses refuse with the lines that are spent', async (t) => {
  const token = tokenOf('uses <= 5', 'uses <= 1')
  const ports = { uses: createCounters(), revocations: neverRevoked }
  t.match(await decider.decide(token, askOf(), ports), { allow: true })
  const decision = await decider.decide(token, askOf(), ports)
  t.match(decision, {
    allow: false,
    reasons: [{ code: 'uses_spent', axis: 'uses', caveat: 'uses <= 1', got: '1 used' }],
  })
  t.equal(decision.allow ? 0 : decision.reasons.length, 1)
  t.match(await decider.decide(tokenOf('uses <= 0'), askOf(), ports), { allow: false })
})

void t.test('a revoked grant or link refuses before anything else', async (t) => {
  const token = tokenOf('tools = B', 'uses <= 9')
  const uses = createCounters()
  const asked: unknown[] = []
  const revocations: Revocations = {
    revoked(id, links) {
      asked.push([id, links])
      return links[1]
    },
  }
  const decision = await decider.decide(token, askOf(), { uses, revocations })
  t.match(decision, {
    allow: false,
    reasons: [{ code: 'revoked', axis: 'grant', got: token.links[1] }],
  })
  t.equal(decision.allow ? 0 : decision.reasons.length, 1)
  t.same(asked, [['g_test', token.links]])
  t.same(uses.reserved, [])
})

void t.test('a port that fails lets nothing through', async (t) => {
  const token = tokenOf('uses <= 9')
  const broken = () => {
    throw new Error('cannot be read')
  }
  const bad: readonly DecisionPorts[] = [
    { uses: createCounters(), revocations: { revoked: broken } },
    { uses: { ...createCounters(), reserve: async () => broken() }, revocations: neverRevoked },
  ]
  for (const ports of bad) await t.rejects(decider.decide(token, askOf(), ports), /cannot be read/)
})

void t.test('judge takes no use and asks no port', async (t) => {
  const token = tokenOf('uses <= 0', 'tools = *')
  t.same(decider.judge(token, askOf()), { allow: true, reasons: [], disagreement: false })
})

void t.test('where the engines do not agree it is counted, and refused', async (t) => {
  const denying: CedarEngine = {
    judge: () => 'deny',
    holds: () => true,
    rule: () => undefined,
    selfTest() {},
  }
  let counted = 0
  const metrics = { disagreement: () => void (counted += 1) }
  const agreeing = createDecider({ metrics })
  agreeing.judge(tokenOf('tools = *'), askOf())
  agreeing.judge(tokenOf('tools = B'), askOf())
  t.equal(counted, 0, 'they agree on what they allow and on what they refuse')
  const asked = { disagreement: true, allow: false }
  t.match(createDecider({ cedar: denying, metrics }).judge(tokenOf('tools = *'), askOf()), asked)
  t.equal(counted, 1)
  t.match(createDecider({ cedar: denying }).judge(tokenOf('tools = *'), askOf()), asked)
})

void t.test('the self-test passes on a sound engine', async () => decider.selfTest())

import t from 'tap'
import { explain } from '../../../gateway/why/explain.ts'
import { unsafeReadToken } from '../../../policy/index.ts'
import { openJudges } from './_judges.ts'

const ROW = { name: 'CHAT', summary: 's', host: 'a.test', method: 'POST', path: '/c', model: 'm' }
const FILES = {
  'catalog.yaml': JSON.stringify({ tools: [ROW] }),
  'g.cedar': '@id("no") forbid (principal, action, resource) when { resource.method == "DELETE" };',
}
const CONFIG = { catalog: ['./catalog.yaml'] }
const GET = { method: 'GET', url: 'https://a.test/' } as const

t.test(
  'a line that stands twice has two verdicts, and a leash’s line says whose it is',
  async (t) => {
    const judges = openJudges(t, CONFIG, FILES)
    const token = judges.mint('tools = X', 'uses <= 3', 'tools = X', 'ways = proxy')
    const { id } = unsafeReadToken(token)
    await judges.grants.leash(id, ['tools = X', 'uses <= 0'], { by: 'test', now: 0 })
    const { lines, reasons, grant } = await explain({ token, ...GET }, judges.ports)
    t.equal(grant, id)
    t.strictSame(
      lines.map(({ line, verdict, leash, used }) => [line, verdict, leash, used]),
      [
        ['tools = X', 'refuses', undefined, undefined],
        ['uses <= 3', 'holds', undefined, 0],
        ['tools = X', 'refuses', undefined, undefined],
        ['ways = proxy', 'holds', undefined, undefined],
        ['tools = X', 'refuses', true, undefined],
        ['uses <= 0', 'refuses', true, 0],
      ],
    )
    t.strictSame(
      reasons.map(({ leash }) => leash),
      [undefined, undefined, true],
    )
  },
)

t.test(
  'lines that nobody asked for are unjudged, and so is what comes before the body',
  async (t) => {
    const judges = openJudges(t, CONFIG, FILES)
    const chat = { method: 'POST', url: 'https://a.test/c', body: '{"m":"small"}' }
    const verdicts = async (...lines: readonly string[]) => {
      const said = await explain({ token: judges.mint(...lines), ...chat }, judges.ports)
      return said.lines.map(({ verdict }) => verdict)
    }
    t.strictSame(await verdicts('model = small', 'ways = proxy'), ['holds', 'holds'])
    // Refused before its body was asked for: of the model nothing is known yet.
    t.strictSame(await verdicts('model = small', 'ways = mcp'), ['unjudged', 'refuses'])
  },
)

t.test(
  'guardrails are told: those that refuse as reasons, those in shadow mode beside them',
  async (t) => {
    const asked = { method: 'DELETE', url: 'https://a.test/' }
    const guardrails = { files: ['./g.cedar'] }
    await t.test('enforced', async (t) => {
      const judges = openJudges(t, { guardrails }, FILES)
      const said = await explain({ token: judges.mint('tools = *'), ...asked }, judges.ports)
      t.match(said, {
        allowed: false,
        code: 'guardrail',
        status: 403,
        reasons: [{ axis: 'guardrail', caveat: 'no (./g.cedar:1)' }],
        lines: [{ verdict: 'holds' }],
      })
      t.notHas(said, 'would_refuse')
    })
    await t.test('in shadow mode', async (t) => {
      const judges = openJudges(t, { guardrails: { ...guardrails, mode: 'shadow' } }, FILES)
      const said = await explain({ token: judges.mint('tools = *'), ...asked }, judges.ports)
      t.match(said, { allowed: true, reasons: [], would_refuse: [{ caveat: 'no (./g.cedar:1)' }] })
    })
  },
)

t.test('a revoked grant is refused, and its lines are judged all the same', async (t) => {
  const judges = openJudges(t, CONFIG, FILES)
  const token = judges.mint('tools = X')
  await judges.grants.revoke(unsafeReadToken(token).id, 'test', 0)
  t.match(await explain({ token, ...GET }, judges.ports), {
    code: 'revoked',
    tool: 'HTTP_GET',
    lines: [{ verdict: 'refuses' }],
  })
  // A body that is to be judged is not read for a call that other lines refuse.
  const other = judges.mint('tools = X', 'arg CHAT.m = small')
  await judges.grants.revoke(unsafeReadToken(other).id, 'test', 0)
  const chat = { token: other, method: 'POST', url: 'https://a.test/c', body: '{"m":"big"}' }
  t.match(await explain(chat, judges.ports), {
    code: 'revoked',
    reasons: [{ axis: 'grant' }],
    lines: [{ verdict: 'refuses' }, { verdict: 'unjudged' }],
  })
})

t.test('the lines in Cedar where they are asked for', async (t) => {
  const judges = openJudges(t, CONFIG, FILES)
  const token = judges.mint('tools = A"\\😀', 'arg CHAT.m <= 5')
  const { cedar } = await explain({ token, ...GET, cedar: true }, judges.ports)
  t.match(
    cedar?.policy,
    /^permit \(principal, action, resource\)\nwhen\n\{[^]*decimal\("5\.0000"\)[^]*\};$/,
  )
  t.match(cedar?.context, { x0: 'tool' })
  t.notHas(await explain({ token, ...GET }, judges.ports), 'cedar')
})

t.test('a fault of the program is no verdict', async (t) => {
  const judges = openJudges(t, CONFIG, FILES)
  const broken = {
    ...judges.ports,
    wants: {
      of() {
        throw new TypeError('a defect')
      },
    },
  }
  await t.rejects(explain({ token: judges.mint('tools = *'), ...GET }, broken), /a defect/)
})

t.test('what no door would read is malformed, and what the doors read is not', async (t) => {
  const judges = openJudges(t, CONFIG, FILES)
  const token = judges.mint('tools = *')
  const ask = (more: object) => explain({ token, ...GET, ...more }, judges.ports)
  for (const method of ['get', 'Get', 'GE T', 'GET\n', '', 'X_Y', '-GET', 'GÉT'])
    t.match(await ask({ method }), { allowed: false, code: 'malformed_request' }, method)
  for (const headers of [
    { 'x y': 'a' },
    { '': 'a' },
    { 'x:': 'a' },
    { 'x-é': 'a' },
    { 'x-a': 'b\r\nx-c: d' },
    { 'x-a': 'b\nc' },
    { 'x-a': '\0' },
    { 'x-a': '\x7f' },
    { 'x-a': '日' },
  ])
    t.match(await ask({ headers }), { code: 'malformed_request' }, JSON.stringify(headers))
  for (const method of ['DELETE', 'M-SEARCH', 'PROPFIND'])
    t.match(await ask({ method }), { allowed: true }, method)
  t.match(await ask({ headers: { 'x-a': 'b\tc é', "x!#$%&'*+.^_`|~9": '' } }), { allowed: true })
})

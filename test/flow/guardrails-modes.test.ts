import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { flow, type TestGateway } from '../helpers/gateway.ts'
import { chat, FILE, GUARDRAILS, setup } from '../helpers/guardrails.ts'
import { metricOf } from '../helpers/records.ts'

/** Puts other guardrails in the place of those that are in force. */
async function put(gateway: TestGateway, text: string) {
  writeFileSync(join(dirname(gateway.configFile), FILE), text)
  return gateway.gateway.reload()
}

void flow('a refusal tells the lines and the guardrails', setup('enforce'), async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  const { text } = await gateway.ask('absolute', { token, method: 'DELETE' })
  t.match(JSON.parse(text), {
    code: 'tool_not_granted',
    reasons: [{ axis: 'tools' }, { axis: 'guardrail' }],
  })
})

void flow(
  'in shadow mode calls pass, recorded and counted',
  setup('shadow'),
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*,CHAT', 'uses <= 2')
    const passed = await gateway.ask('absolute', { token, method: 'DELETE' })
    t.equal(passed.status, 200)
    t.match(gateway.receipt(passed.header('receipt')), {
      outcome: 'allowed',
      would_refuse: [{ code: 'guardrail', caveat: /^no-delete/ }],
    })
    const plain = await gateway.ask('absolute', { token })
    t.notHas(gateway.receipt(plain.header('receipt')), 'would_refuse')
    const refused = await gateway.ask('absolute', { token, method: 'DELETE' })
    t.equal(refused.header('refused'), 'uses_spent')
    t.notHas(gateway.receipt(refused.header('receipt')), 'would_refuse', 'it was refused anyway')
    const metrics = await gateway.metrics()
    t.equal(metricOf(metrics, 'narrowgate_guardrails_shadowed_total'), 1)
    const body = 'x'.repeat(100_000)
    const upload = gateway.mint('tools = CHAT')
    const whole = await gateway.ask('absolute', { token: upload, ...chat('big'), body })
    t.equal(whole.status, 200, 'and no body is held up')
  },
)

void flow(
  'a reload takes new guardrails, and keeps the old ones where the new are wrong',
  setup('enforce'),
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const status = async (path: string) => (await gateway.ask('absolute', { token, path })).status
    t.equal(await status('/admin/x'), 403)
    const result = await put(gateway, GUARDRAILS.replace('context.path', 'context.pth'))
    t.match(result, { ok: false, problems: [{ path: './g.cedar:5:45', got: /pth/ }] })
    t.equal(await status('/admin/x'), 403, 'the old set stays')
    t.same(await put(gateway, GUARDRAILS.replace('/admin/', '/other/')), { ok: true })
    t.equal(await status('/admin/x'), 200)
    t.equal(await status('/other/x'), 403)
  },
)

void flow(
  'a guardrail that meets an error refuses',
  {
    ...setup('enforce'),
    files: {
      [FILE]:
        'forbid (principal, action, resource) when { resource.port * 9223372036854775807 > 1 };',
    },
  },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const { status, text } = await gateway.ask('absolute', { token })
    t.equal(status, 403)
    t.match(JSON.parse(text), { code: 'guardrail', reasons: [{ got: /error/ }] })
  },
)

import { flow } from '../helpers/gateway.ts'
import { chat, setup } from '../helpers/guardrails.ts'
import { SHAPES } from '../helpers/shapes.ts'

for (const shape of SHAPES) {
  void flow(
    `a guardrail refuses what the token allows (${shape})`,
    setup('enforce'),
    async (t, gateway) => {
      const token = gateway.mint('tools = *', 'uses <= 3')
      const asked = (over: object) => gateway.ask(shape, { token, ...over })
      const refused = await asked({ method: 'DELETE', path: '/x' })
      t.equal(refused.status, 403)
      t.match(JSON.parse(refused.text), {
        code: 'guardrail',
        reasons: [
          {
            axis: 'guardrail',
            caveat: /^no-delete \(\.\/g\.cedar:2\)$/,
            got: 'HTTP_DELETE on api.test',
            repair: 'ask ops',
          },
        ],
      })
      const receipt = gateway.receipt(refused.header('receipt'))
      t.match(receipt, { outcome: 'refused', ran: false, code: 'guardrail' })
      for (const path of ['/admin/x', '/%61dmin/x', '/admin%2Fx', '/%2561dmin/x', '/admin//x?q'])
        t.equal((await asked({ path })).header('refused'), 'guardrail', path)
      t.equal((await asked(chat('big'))).header('refused'), 'guardrail', 'in the body of a row')
      t.equal((await asked(chat('small'))).status, 200)
      t.equal((await asked({ method: 'PUT', path: '/file', body: 'no JSON' })).status, 200)
      // None of the refused calls took a use.
      t.equal((await asked({ path: '/ok' })).status, 200)
      t.equal((await asked({ path: '/ok' })).header('refused'), 'uses_spent')
    },
  )
}

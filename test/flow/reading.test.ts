import type { Test } from 'tap'
import { eventually, flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { unsafeReadToken } from '../../policy/index.ts'
import { answerJson } from '../helpers/upstream.ts'

const id = { in: 'path', type: 'string', required: true } as const
const ROWS: Setup['rows'] = [
  { name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } },
  { name: 'ITEMS_LIST', method: 'GET', path: '/items' },
  { name: 'ITEMS_MAKE', method: 'POST', path: '/items' },
  { name: 'SHELL', method: 'POST', path: '/shell', runs: 'code' },
]

const SETUP: Setup = { rows: ROWS, serve: (_req, res) => answerJson(res, {}) }

async function ask(gateway: TestGateway, path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never }
}

const names = ({ body }: { readonly body: { rows?: { name: string }[] } | string[] }) =>
  Array.isArray(body) ? body : body.rows?.map(({ name }) => name)

await flow(
  'a holder reads what the token could call, and nothing else',
  SETUP,
  async (t, gateway) => {
    const list = async (...lines: readonly string[]) =>
      names(await ask(gateway, '/g/tools?light=1', gateway.mint(...lines)))
    t.strictSame(await list('tools = ITEM*'), [
      'ITEM',
      'ITEM_TLS',
      'ITEMS_LIST',
      'ITEMS_LIST_TLS',
      'ITEMS_MAKE',
      'ITEMS_MAKE_TLS',
    ])
    t.strictSame(await list('tools = ITEM*', 'tools = *_MAKE'), ['ITEMS_MAKE'])
    t.strictSame(await list('tools = *LIST', 'ways = mcp'), [], 'not through this door')
    t.strictSame(await list('tools = SHELL', 'area = /src'), [], 'code that no area can confine')
    t.strictSame(
      await list('tools = SHELL', 'arg SHELL.x = 1'),
      ['SHELL'],
      'who knows its arguments',
    )
  },
)

await flow('a question ranks what the token could call', SETUP, async (t, gateway) => {
  const find = async (...lines: readonly string[]) =>
    names(await ask(gateway, '/g/find?q=make+items', gateway.mint(...lines)))
  t.strictSame(await find('tools = ITEMS_MAKE,SHELL'), ['ITEMS_MAKE'])
  t.strictSame(await find('tools = ITEMS_LIST'), [])
})

await flow(
  'a contract is read with the token in the field or in the path',
  SETUP,
  async (t, gateway) => {
    const token = gateway.mint('tools = ITEM')
    const { status, headers, body } = await ask(gateway, '/g/contracts/ITEM', token)
    t.equal(status, 200)
    t.equal((body as { name: string }).name, 'ITEM')
    t.match(headers.get('ledger-head') ?? '', /^[0-9a-f]{64}$/)
    t.equal((await ask(gateway, `/g/${token}/contracts/ITEM`)).status, 200)
    const hidden = await ask(gateway, '/g/contracts/SHELL', token)
    const missing = await ask(gateway, '/g/contracts/NOTHING', token)
    t.strictSame([hidden.status, missing.status], [404, 404], 'what it cannot call is not there')
  },
)

await flow('to read is no use; what does not stand reads nothing', SETUP, async (t, gateway) => {
  const spent = gateway.mint('tools = *', 'uses <= 0')
  t.equal((await ask(gateway, '/g/tools', spent)).status, 200)
  const over = gateway.mint('tools = *', 'expires < 2020-01-01T00:00:00Z')
  const gone = gateway.mint('tools = *')
  gateway.revoke(unsafeReadToken(gone).id)
  const alice = gateway.mint('person = alice')
  await eventually(async () => (await ask(gateway, '/g/tools', gone)).status === 403)
  for (const path of ['/g/tools', '/g/find?q=item', '/g/contracts/ITEM']) {
    await refuses(t, gateway, [path, over, 403, 'expired'])
    await refuses(t, gateway, [path, gone, 403, 'revoked'])
    await refuses(t, gateway, [path, alice, 403, 'person_mismatch'])
    await refuses(t, gateway, [path, undefined, 401, 'token_missing'])
    await refuses(t, gateway, [path, `${spent}A`, 401, 'token_malformed'])
  }
  await refuses(t, gateway, ['/g/tools?page=2', spent, 400, 'unknown_field'])
  await refuses(t, gateway, ['/g/tools?light=1&want=name', spent, 400, 'malformed_request'])
  await refuses(t, gateway, ['/g/find', spent, 400, 'malformed_request'])
  t.strictSame(
    (await gateway.receipts()).filter(({ outcome }) => outcome !== 'refused'),
    [],
  )
})

type Refused = readonly [path: string, token: string | undefined, status: number, code: string]

async function refuses(t: Test, gateway: TestGateway, [path, token, status, code]: Refused) {
  const answer = await ask(gateway, path, token)
  t.strictSame([answer.status, answer.headers.get('refused')], [status, code], path)
}

import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { statePaths } from '../../gateway/state/paths.ts'
import { segmentFiles } from '../adapters/ledger/rig.ts'
import { flow, portOf, type TestGateway } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

// Whoever got an answer, whatever it says, can hold the ledger to the head that it names.

/** Every line of the log, in order. */
function linesOf({ state }: TestGateway): readonly string[] {
  return segmentFiles(statePaths(state).ledger).flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(0, -1),
  )
}

/** The head is on the chain, and not before the record of the answer's own receipt, where there is one. */
function assertHead(
  t: Test,
  gateway: TestGateway,
  {
    head,
    receipt = '',
    name,
  }: { readonly head: unknown; readonly receipt?: string | undefined; readonly name: string },
): void {
  const lines = linesOf(gateway)
  const at = lines.findIndex((line) => line.slice(0, 64) === head)
  t.ok(at >= 0, `${name}: \`${String(head)}\` is on the chain`)
  const own = receipt === '' ? 0 : lines.findIndex((line) => line.includes(receipt))
  t.ok(own >= 0 && at >= own, `${name}: it covers the receipt`)
}

flow('every answer names the head of the ledger', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  let id = ''
  for (const shape of SHAPES) {
    const answers = {
      allowed: await gateway.ask(shape, { token }),
      refused: await gateway.ask(shape, { token, method: 'DELETE' }),
    }
    t.same([answers.allowed.status, answers.refused.status], [200, 403], shape)
    for (const [name, { header }] of Object.entries(answers)) {
      id = header('receipt') ?? ''
      t.not(id, '')
      assertHead(t, gateway, {
        head: header('ledger-head'),
        receipt: id,
        name: `${shape}: ${name}`,
      })
    }
  }
  for (const shape of ['absolute', 'mount'] as const)
    for (const [name, credential] of Object.entries({ forged: `${token}x`, missing: undefined })) {
      const { header, status } = await gateway.ask(shape, { token: credential })
      t.equal(status, shape === 'mount' ? 401 : 407)
      const receipt = header('receipt')
      assertHead(t, gateway, { head: header('ledger-head'), receipt, name: `${shape}: ${name}` })
    }

  const { proxy, owner } = gateway.gateway.addresses
  const key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim()
  const asked = async (address: string, path: string, headers: Record<string, string>) => {
    const { status, headers: fields } = await fetch(`http://127.0.0.1:${portOf(address)}${path}`, {
      headers,
      redirect: 'manual',
    })
    assertHead(t, gateway, { head: fields.get('ledger-head'), name: `${status} ${path}` })
    return status
  }
  const asOwner = { 'x-narrowgate-key': key }
  const asHolder = { authorization: `Bearer ${token}` }
  t.equal(await asked(owner, '/api/status', asOwner), 200)
  t.equal(await asked(owner, '/api/ledger/feed', asOwner), 200)
  t.equal(await asked(owner, '/api/status', {}), 401)
  t.equal(await asked(owner, '/nothing', asOwner), 404)
  t.equal(await asked(owner, '/api/ledger/exchanges?moon=full', asOwner), 400)
  t.equal(await asked(owner, '/console', {}), 303)
  t.equal(await asked(proxy, `/ledger/exchanges/${id}.json`, asHolder), 200)
  t.equal(await asked(proxy, '/ledger/exchanges/none.json', asHolder), 404)
  t.equal(await asked(proxy, `/ledger/exchanges/${id}.json`, {}), 401)
})

flow(
  'under the name that the configuration gives it',
  { config: { headers: { head: 'x-head' } } },
  async (t, gateway) => {
    const token = gateway.mint('tools = NONE')
    const { header } = await gateway.ask('absolute', { token })
    assertHead(t, gateway, { head: header('x-head'), name: 'a refusal' })
    const answer = await fetch(
      `http://127.0.0.1:${portOf(gateway.gateway.addresses.owner)}/nothing`,
    )
    assertHead(t, gateway, { head: answer.headers.get('x-head'), name: 'an owner door' })
    t.equal(answer.headers.get('ledger-head'), null)
  },
)

import { createBuildKey, narrowToken, verifyToken } from '../../policy/index.ts'
import { readFileSync } from 'node:fs'
import { statePaths } from '../../gateway/state/paths.ts'
import { eventually, flow } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { SHAPES } from '../helpers/shapes.ts'

flow('what an owner sees of a grant is what became of it', {}, async (t, gateway) => {
  const { id, token } = await mintGrant(gateway, 'tools = HTTP_*', 'uses <= 99')
  const added = ['uses <= 20', 'ways = proxy,mount']
  const child = narrowToken(token, added)
  for (const shape of SHAPES) {
    t.equal((await gateway.ask(shape, { token })).status, 200)
    t.equal((await gateway.ask(shape, { token: child })).status, 200)
  }
  const key = createBuildKey(readFileSync(statePaths(gateway.state).buildKey, 'utf8').trim())
  const own = verifyToken(token, [key])
  const narrowed = verifyToken(child, [key])
  let body: Readonly<Record<string, unknown>> = {}
  const seen = async () => {
    body = (await askOwner(gateway, 'GET', `/api/grants/${id}`)).body
    return (body['children'] as readonly unknown[]).length > 0
  }
  t.ok(await eventually(seen), 'the child is seen')
  t.match(body, {
    id,
    chain: [{ link: own.links[1] }, { link: own.links[2] }],
    uses: [{ link: own.links[2], limit: 99, used: 2 * SHAPES.length, leash: false }],
    children: [{ link: narrowed.link, lines: added }],
    receipts: { counts: { allowed: 2 * SHAPES.length } },
  })
  t.equal((body['children'] as readonly unknown[]).length, 1, 'its own token is no child')
  t.notMatch(JSON.stringify(body), token.split('.')[2] ?? '', 'no token is told')

  const revoked = await askOwner(gateway, 'POST', `/api/grants/${id}/revoke`, {
    link: narrowed.link,
  })
  t.match(revoked.body, { revoked: narrowed.link, fresh: true })
  for (const shape of SHAPES) {
    t.equal((await gateway.ask(shape, { token })).status, 200, `${shape}: the grant lives`)
    const got = await gateway.ask(shape, { token: child })
    t.match(JSON.parse(got.text), { code: 'revoked' }, `${shape}: the branch is dead`)
  }
})

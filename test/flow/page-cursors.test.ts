import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { createBuildKey, mintToken } from '../../policy/index.ts'
import { flowIn } from '../helpers/gateway.ts'
import { answerJson } from '../helpers/upstream.ts'

// A cursor is a credential of a kind: it ends with the build key that made it, and lives as long as that is in the ring.

t.test('cursors follow the ring of build keys', async (t) => {
  const folder = t.testdir({})
  const file = (name: string) => join(folder, name)
  const key = randomBytes(32).toString('base64url')
  // One key for the token throughout, which is never the first that signs cursors.
  for (const [name, text] of [
    ['stays', key],
    ['one', randomBytes(32).toString('base64url')],
    ['two', randomBytes(32).toString('base64url')],
  ] as const)
    writeFileSync(file(name), text, { mode: 0o600 })
  const ring = (...names: readonly string[]) => names.map((name) => ({ file: file(name) }))
  const setup = {
    config: { build_keys: ring('one', 'stays') },
    rows: [{ name: 'ROWS', method: 'GET', path: '/rows' }],
    serve: (_req: unknown, res: Parameters<typeof answerJson>[0]) =>
      answerJson(res, [{ id: 1 }, { id: 2 }, { id: 3 }]),
  }
  await flowIn(t, setup, async (t, gateway) => {
    const token = mintToken(createBuildKey(key), 'pages', ['tools = *'])
    // One path has a row, the other none: what is remembered of them is kept apart.
    for (const path of ['/rows', '/other']) {
      const ask = async (cursor?: string) => {
        const page = { limit: 1, ...(cursor === undefined ? {} : { cursor }) }
        const headers = { want: JSON.stringify({ page }) }
        const got = await gateway.ask('absolute', { token, path, headers })
        return { status: got.status, text: got.text, next: got.header('next-cursor') ?? '' }
      }
      const keep = async (...names: readonly string[]) => {
        const config = parse(readFileSync(gateway.configFile, 'utf8')) as Record<string, unknown>
        writeFileSync(gateway.configFile, stringify({ ...config, build_keys: ring(...names) }))
        t.same(await gateway.gateway.reload(), { ok: true })
      }
      await keep('one', 'stays')
      const { next: old } = await ask()
      t.match(await ask(old), { status: 200, text: '[{"id":2}]' }, `${path}: its own key`)
      await keep('two', 'one', 'stays')
      t.match(await ask(old), { status: 200, text: '[{"id":2}]' }, 'an older key of the ring')
      const { next: fresh } = await ask()
      t.not(fresh, old, 'the first key signs')
      await keep('two', 'stays')
      const refused = await ask(old)
      t.equal(refused.status, 400, 'a key that is gone')
      t.match(JSON.parse(refused.text), {
        code: 'malformed_request',
        reasons: [{ axis: 'page.cursor' }],
      })
      t.match(await ask(fresh), { status: 200, text: '[{"id":2}]' })
      await keep('one', 'stays')
      t.match(await ask(old), { status: 200 }, 'a refusal is not remembered either')
      t.equal((await ask(fresh)).status, 400)
    }
  })
})

import { mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createRig, KEY } from './_owner.ts'

t.test('over TCP', async (t) => {
  const { app } = createRig()
  t.teardown(() => app.close())
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  t.equal((await fetch(`${base}/healthz`)).status, 200)
  t.equal((await fetch(`${base}/api/status`)).status, 401)
  const status = await fetch(`${base}/api/status`, { headers: { authorization: `Bearer ${KEY}` } })
  t.match(await status.json(), { version: '1.2.3' })
})

t.test('over a unix socket, which counts as this machine', async (t) => {
  const path = join(mkdtempSync(join(tmpdir(), 'narrowgate-owner-')), 'o.sock')
  const { app } = createRig({ listen: { kind: 'unix', path } })
  t.teardown(() => app.close())
  await app.listen({ path })
  t.equal(await statusOf(path, '/metrics'), 200)
  t.equal(await statusOf(path, '/api/status'), 401)
})

function statusOf(socketPath: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { KEY } from '../helpers/gateway.ts'
import { assertAccounts } from '../helpers/records.ts'
import { HOST } from '../helpers/shapes.ts'
import { createGit } from '../rig/upstreams/git.ts'

// A push and a clone of more than 200 MB, of which a gateway that cuts silently would lose the end, on a way where a
// key is put in and looked for. About a minute on two cores.

const PIECE_BYTES = 10 * 1_000_000
const PIECES = 21
const run = promisify(execFile)

t.test('git pushes and clones 210 MB through a tunnel that is read', async (t) => {
  t.setTimeout(600_000)
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-git-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const site = createGit(folder)
  const keys = new Set<unknown>()
  const gateway = await startChild(t, {
    keys: [{ header: 'x-key' }],
    upstream: { keep: 'hash' },
    async serve(request, response) {
      keys.add(request.headers['x-key'])
      await site.handle({ request, response, url: new URL(request.url ?? '/', `https://${HOST}`) })
    },
  })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSL_CAINFO: join(gateway.state, 'ca', 'ca.pem'),
    https_proxy: `http://agent:${gateway.mint('tools = HTTP_*')}@127.0.0.1:${gateway.proxyPort}`,
  }
  const git = (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=agent', '-c', 'user.email=agent@ng.test', ...args], { env })
  const address = `https://${HOST}/hello.git`
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]

  await git('clone', '-q', address, first)
  for (let at = 0; at < PIECES; at++)
    appendFileSync(join(first, 'large.bin'), randomBytes(PIECE_BYTES))
  await git('-C', first, 'add', 'large.bin')
  await git('-C', first, 'commit', '-q', '-m', 'second')
  await git('-C', first, 'push', '-q', 'origin', 'HEAD:main')
  await git('clone', '-q', address, second)

  const hashOf = async (clone: string) =>
    (await git('-C', clone, 'rev-parse', 'HEAD:large.bin')).stdout.trim()
  t.equal(await hashOf(second), await hashOf(first), 'what was pushed is what was cloned')
  const { stdout } = await git('-C', second, 'hash-object', 'large.bin')
  t.equal(stdout.trim(), await hashOf(first), 'byte for byte')
  t.same([...keys], [KEY], 'with the key in every request')
  await assertAccounts(t, gateway.state, gateway.metrics)
  t.equal(await gateway.stop(), 0)
})

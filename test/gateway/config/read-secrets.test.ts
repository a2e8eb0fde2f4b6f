import t from 'tap'
import {
  accessKeyIdName,
  proxyPasswordName,
  readSecrets,
  sessionTokenName,
} from '../../../gateway/config/index.ts'
import { goodConfig, readerOf } from './_config.ts'

const CONFIG = goodConfig(`
proxy: { url: "http://corp.test:3128", user: u, password: { env: P } }
upstreams:
  - { name: a, hosts: [a.test], keys: [{ name: k, secret: { env: A }, header: x-a }] }
`)

t.test('keys and proxy passwords are read under their names', async (t) => {
  const read = await readSecrets(CONFIG, readerOf({ A: 'sixteen-bytes-ok', P: 'pw' }))
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  t.equal(read.secrets.get('k')?.reveal(), 'sixteen-bytes-ok')
  t.equal(read.secrets.get(proxyPasswordName(undefined))?.reveal(), 'pw')
})

t.test('the parts of AWS credentials are read beside the secret', async (t) => {
  const config = goodConfig(`
upstreams:
  - name: a
    hosts: [a.test]
    keys:
      - name: k
        secret: { env: A }
        sigv4: { access_key_id: { env: I }, session_token: { env: T }, region: r, service: s3 }
`)
  const values = { A: 'sixteen-bytes-ok', I: 'id', T: 'a-session-token-of-some-length' }
  const read = await readSecrets(config, readerOf(values))
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  t.equal(read.secrets.get(accessKeyIdName('k'))?.reveal(), 'id')
  t.equal(read.secrets.get(sessionTokenName('k'))?.reveal(), values.T)
  const short = await readSecrets(config, readerOf({ ...values, T: 'short' }))
  t.strictSame(short.ok ? [] : short.problems.map(({ path }) => path), [
    'upstreams[0].keys[0].sigv4.session_token',
  ])
})

t.test('a key of less than 16 bytes is refused', async (t) => {
  const read = await readSecrets(CONFIG, readerOf({ A: 'fifteen-bytes-x', P: 'pw' }))
  t.strictSame(read.ok ? [] : read.problems, [
    {
      path: 'upstreams[0].keys[0].secret',
      got: 'a secret of 15 bytes',
      repair: 'use one of at least 16 bytes',
    },
  ])
})

t.test('everything that is missing is told at once', async (t) => {
  const read = await readSecrets(CONFIG, readerOf({}))
  t.strictSame(read.ok ? [] : read.problems.map((problem) => [problem.path, problem.got]), [
    ['upstreams[0].keys[0].secret', 'the variable `A` is not set'],
    ['proxy.password', 'the variable `P` is not set'],
  ])
})

import t from 'tap'
import { proxyPasswordName, resolveUpstream } from '../../../gateway/config/index.ts'
import { goodConfig, secretOf } from './_config.ts'

const TEXT = `
proxy: { url: "http://corp.test:3128", bypass: [".internal"] }
upstreams:
  - { name: exact, hosts: [api.a.test] }
  - { name: near, hosts: ["*.b.a.test"] }
  - { name: far, hosts: ["*.a.test"] }
  - name: ported
    hosts: ["p.test:8443"]
    address: "127.0.0.1:9"
    proxy: { url: "http://own.test:1", user: u, password: { env: P } }
mounts: [{ prefix: /m, to: "https://mounted.test" }]
`
const secrets = new Map([[proxyPasswordName('ported'), secretOf('p', 'pw')]])
const open = { config: goodConfig(TEXT), secrets }
const closed = { config: goodConfig(`unknown_hosts: refuse\n${TEXT}`), secrets }
const https = (host: string, port = 443) => ({ scheme: 'https', host, port }) as const

t.test('an exact host comes before a suffix, a longer suffix before a shorter one', async (t) => {
  const name = (host: string) => resolveUpstream(open, https(host))?.name
  t.equal(name('api.a.test'), 'exact')
  t.equal(name('x.b.a.test'), 'near')
  t.equal(name('y.x.b.a.test'), 'near')
  t.equal(name('b.a.test'), 'far')
  t.equal(name('a.test'), 'a.test', 'a suffix does not cover the name itself')
  t.equal(name('evila.test'), 'evila.test')
})

t.test('a host without a port stands for 443 and 80 alone', async (t) => {
  t.equal(resolveUpstream(open, { ...https('api.a.test', 80), scheme: 'http' })?.name, 'exact')
  t.equal(resolveUpstream(open, https('api.a.test', 8443))?.name, 'api.a.test')
  t.equal(resolveUpstream(open, https('p.test', 8443))?.name, 'ported')
  t.equal(resolveUpstream(open, https('p.test'))?.name, 'p.test')
})

t.test('the route bears what the configuration says', async (t) => {
  t.strictSame(resolveUpstream(open, https('p.test', 8443))?.route, {
    proxy: { host: 'own.test', port: 1, authorization: `Basic ${btoa('u:pw')}` },
    noProxy: [],
    address: { host: '127.0.0.1', port: 9 },
    allowPrivate: [],
    ca: [],
  })
  t.strictSame(resolveUpstream(open, https('api.a.test'))?.route.proxy, {
    host: 'corp.test',
    port: 3128,
  })
})

t.test('a host that is not listed has no key and goes through the proxy for all', async (t) => {
  const other = resolveUpstream(open, https('other.test'))
  t.strictSame(other?.keys, [])
  t.strictSame(other?.bears, { area: true, model: true })
  t.strictSame(other?.route, { proxy: { host: 'corp.test', port: 3128 }, noProxy: ['.internal'] })
})

t.test('under `refuse` only what the configuration names is reached', async (t) => {
  t.equal(resolveUpstream(closed, https('other.test')), undefined)
  t.equal(resolveUpstream(closed, https('mounted.test'))?.name, 'mounted.test')
  t.equal(resolveUpstream(closed, https('mounted.test', 80)), undefined)
  t.equal(resolveUpstream(closed, https('api.a.test'))?.name, 'exact')
})

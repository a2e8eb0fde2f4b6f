import t from 'tap'
import { createEnvironment } from '../../sidecar/environment.ts'
import { surroundings } from './surroundings.ts'

t.test('the operator’s exemptions are kept, of both cases, each once', async (t) => {
  const own = { NO_PROXY: '.corp.test, 10.0.0.0/8,localhost', no_proxy: 'db.internal' }
  const { NO_PROXY, no_proxy } = createEnvironment(surroundings({ own }))
  t.equal(NO_PROXY, 'localhost,127.0.0.1,::1,10.1.2.3,.corp.test,10.0.0.0/8,db.internal')
  t.equal(no_proxy, NO_PROXY)
})

t.test(
  'an exemption of everything is not kept: it would take every call past the gateway',
  async (t) => {
    const { NO_PROXY } = createEnvironment(
      surroundings({ own: { NO_PROXY: '*', no_proxy: 'a.test, *' } }),
    )
    t.equal(NO_PROXY, 'localhost,127.0.0.1,::1,10.1.2.3,a.test')
  },
)

t.test('the operator’s folders of certificates stay in front', async (t) => {
  const own = { SSL_CERT_DIR: '/etc/ssl/certs:/opt/certs' }
  t.equal(
    createEnvironment(surroundings({ own }))['SSL_CERT_DIR'],
    '/etc/ssl/certs:/opt/certs:/trust/certs',
  )
})

t.test('the operator’s Java options stay, and ours come behind them', async (t) => {
  const own = { JAVA_TOOL_OPTIONS: '-Xmx1g -Dhttps.proxyHost=old' }
  const options = createEnvironment(surroundings({ own }))['JAVA_TOOL_OPTIONS'] ?? ''
  t.match(options, /^-Xmx1g -Dhttps\.proxyHost=old /)
  t.ok(
    options.lastIndexOf('-Dhttps.proxyHost=10.1.2.3') > options.indexOf('=old'),
    'the last one wins',
  )
  t.match(options, /-Djavax\.net\.ssl\.trustStore=\/trust\/truststore\.p12/)
  t.match(options, /-Djdk\.http\.auth\.tunneling\.disabledSchemes= /)
  t.match(options, /-Dhttp\.nonProxyHosts=localhost\|127\.\*\|\[::1\]\|10\.1\.2\.3$/)
})

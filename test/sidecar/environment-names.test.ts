import t from 'tap'
import { createEnvironment } from '../../sidecar/environment.ts'
import { surroundings } from './surroundings.ts'

const PROXY = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'ALL_PROXY',
  'all_proxy',
  'ws_proxy',
  'wss_proxy',
  'GRPC_PROXY',
  'grpc_proxy',
  'GLOBAL_AGENT_HTTP_PROXY',
  'GLOBAL_AGENT_HTTPS_PROXY',
  'DOCKER_HTTP_PROXY',
  'DOCKER_HTTPS_PROXY',
]
const BUNDLE = [
  'SSL_CERT_FILE',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
  'AWS_CA_BUNDLE',
  'npm_config_cafile',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
  'NIX_SSL_CERT_FILE',
  'DENO_CERT',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
  'PERL_LWP_SSL_CA_FILE',
]
const environment = createEnvironment(surroundings())

t.test('every proxy variable holds the URL with both halves of the credentials', async (t) => {
  for (const name of PROXY) {
    t.equal(environment[name], 'http://agent:g1.payload.signature@10.1.2.3:3128', name)
  }
  t.equal(environment['CLOUDSDK_PROXY_TYPE'], 'http')
  t.equal(environment['CLOUDSDK_PROXY_ADDRESS'], '10.1.2.3')
  t.equal(environment['CLOUDSDK_PROXY_PORT'], '3128')
  t.equal(environment['NODE_USE_ENV_PROXY'], '1')
})

t.test('every variable that replaces a store names the merged bundle', async (t) => {
  for (const name of BUNDLE) t.equal(environment[name], '/trust/bundle.pem', name)
  t.equal(environment['NODE_EXTRA_CA_CERTS'], '/trust/extra.pem', 'Node adds to its own roots')
  t.equal(environment['SSL_CERT_DIR'], '/trust/certs')
})

t.test('local hosts and the gateway itself go past the proxy', async (t) => {
  for (const name of ['NO_PROXY', 'no_proxy', 'GLOBAL_AGENT_NO_PROXY']) {
    t.equal(environment[name], 'localhost,127.0.0.1,::1,10.1.2.3', name)
  }
})

t.test('an IPv6 gateway stands in brackets in a URL alone', async (t) => {
  const six = createEnvironment(surroundings({ gateway: { host: 'fd00::1', port: 1 } }))
  t.equal(six['HTTPS_PROXY'], 'http://agent:g1.payload.signature@[fd00::1]:1')
  t.match(six['NO_PROXY'], /,fd00::1$/)
})

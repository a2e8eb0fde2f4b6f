const between = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
})

/** Files that may name drivers: they compose the parts for a running gateway and for offline commands, or for both. */
const COMPOSITION = '^gateway/(main|offline|stores|ledger|buckets)\\.ts$'
const IO =
  '^(node:)?(fs|net|http|https|http2|tls|dns|child_process|worker_threads|cluster|dgram)(/|$)'

/** What no browser has, or no page should load. */
const NOT_IN_BROWSERS =
  '^(node:)?(fs|net|http|https|http2|tls|dns|child_process|worker_threads|crypto|buffer|stream|util|os|path|process|events|url)(/|$)|node_modules/(@cedar-policy|lru-cache)/'

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'data flows one way',
      from: {},
      to: { circular: true },
    },
    between(
      'policy-is-a-leaf',
      '^policy/',
      '^(client|catalog|adapters|gateway|sidecar|cli|bench|test)/',
      'policy decides; it knows nobody',
    ),
    between(
      'catalog-is-a-leaf',
      '^catalog/',
      '^(policy|client|adapters|gateway|sidecar|cli|bench|test)/',
      'catalog names tools; it knows nobody',
    ),
    {
      name: 'client-knows-the-chain-alone',
      severity: 'error',
      comment: 'the client is on the other side of the wire',
      from: { path: '^client/' },
      to: {
        path: '^(policy|catalog|adapters|gateway|sidecar|cli|bench|test)/',
        pathNot: '^policy/offline\\.ts$',
      },
    },
    {
      name: 'client-runs-in-browsers',
      severity: 'error',
      comment: 'nothing that it leads to needs Node.js or the second engine',
      from: { path: '^client/' },
      to: { path: NOT_IN_BROWSERS, reachable: true },
    },
    between(
      'client-is-for-others',
      '^(adapters|gateway|sidecar|cli)/',
      '^client/',
      'the product does not call itself over HTTP',
    ),
    between(
      'adapters-know-no-gateway',
      '^adapters/',
      '^(gateway|sidecar|cli|bench|test)/',
      'adapters implement ports; they call nobody',
    ),
    between(
      'gateway-knows-no-launcher',
      '^gateway/',
      '^(sidecar|cli|bench|test)/',
      'the gateway is started, it starts nobody',
    ),
    between(
      'sidecar-knows-no-cli',
      '^sidecar/',
      '^(cli|bench|test)/',
      'the command line calls the sidecar, not the other way',
    ),
    {
      name: 'gateway-sees-ports-only',
      severity: 'error',
      comment: 'only the composition roots pick drivers',
      from: { path: '^gateway/', pathNot: COMPOSITION },
      to: { path: '^adapters/', pathNot: '^adapters/[^/]+/port\\.ts$' },
    },
    {
      name: 'launchers-see-no-drivers',
      severity: 'error',
      comment: 'cli and sidecar get drivers from the composition roots',
      from: { path: '^(cli|sidecar)/' },
      to: { path: '^adapters/', pathNot: '^adapters/[^/]+/port\\.ts$' },
    },
    {
      name: 'ports-hold-types-only',
      severity: 'error',
      comment: 'a port is a promise, not code',
      from: { pathNot: '^(test|bench)/', path: '.' },
      to: { path: '^adapters/[^/]+/port\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'drivers-are-strangers',
      severity: 'error',
      comment: 'a driver knows its own port, the types of others, and how a thread is started',
      from: { path: '^adapters/([^/]+)/' },
      to: {
        path: '^adapters/',
        pathNot: ['^adapters/$1/', '^adapters/[^/]+/port\\.ts$', '^adapters/threads/'],
      },
    },
    {
      name: 'stages-are-strangers',
      severity: 'error',
      comment: 'exchange.ts is the only one that orders stages',
      from: { path: '^gateway/stages/([^/]+)' },
      to: { path: '^gateway/(stages|doors|exchange)', pathNot: '^gateway/stages/$1' },
    },
    between(
      'doors-know-no-stage',
      '^gateway/doors/',
      '^gateway/stages/',
      'a door makes a Knock and writes a Reply',
    ),
    {
      name: 'enter-by-the-index',
      severity: 'error',
      comment: 'policy and catalog have one door each; threads use that of the views',
      from: { path: '^(adapters|gateway|sidecar|cli)/' },
      to: { path: '^(policy|catalog)/', pathNot: '^(policy|catalog|catalog/views)/index\\.ts$' },
    },
    {
      name: 'no-io-in-the-core',
      severity: 'error',
      comment: 'policy and catalog are pure',
      from: { path: '^(policy|catalog)/' },
      to: { path: IO, dependencyTypes: ['core'] },
    },
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      comment: 'tests and benches import, nobody imports them',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'fast-check-lives-in-tests',
      severity: 'error',
      comment: 'one home per package',
      from: { pathNot: '^test/' },
      to: { path: 'node_modules/fast-check/' },
    },
    {
      name: 'cedar-has-one-home',
      severity: 'error',
      comment: 'one home per package',
      from: { pathNot: '^(policy/cedar/|test/policy/)' },
      to: { path: 'node_modules/@cedar-policy/' },
    },
    {
      name: 'sqlite-has-one-home',
      severity: 'error',
      comment: 'one home per package',
      from: { pathNot: '^(adapters/|test/adapters/|test/wire/scenes/|bench/ledger/durable/)' },
      to: { path: 'node_modules/better-sqlite3/' },
    },
    {
      name: 'postgres-has-one-home',
      severity: 'error',
      comment: 'one home per package',
      from: { pathNot: '^(adapters/postgres/|test/helpers/|bench/ledger/)' },
      to: { path: 'node_modules/postgres/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'nothing lies about',
      from: { orphan: true, pathNot: '(main|index|run|worker)\\.ts$|^test/|^bench/' },
      to: {},
    },
    {
      name: 'declared-deps-only',
      severity: 'error',
      comment: 'what is imported is in package.json',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}

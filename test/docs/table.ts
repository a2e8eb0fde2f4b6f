import type { Ending, Lab, Typed } from './lab.ts'

/** What stands for the examples' own values. */
export interface Values {
  readonly lab: Lab
  readonly token: string
  readonly grant: string
  readonly link: string
  readonly receipt: string
  readonly head: string
  readonly buildKey: string
}

/** A command that is run here. */
export interface RunHere {
  readonly exit: number | null
  readonly says: RegExp
  /** What is typed, where the page's line is a form to fill in. */
  readonly as?: string
  readonly ending?: Ending
  readonly with?: (values: Values) => Typed
}

/** A command that another file runs: it exists, and this stands in it. */
export interface RunThere {
  readonly file: string
  readonly holds: RegExp
  readonly script?: readonly [name: string, does: RegExp]
}

const help: RunHere = { exit: 0, says: /Options:/ }
const listening: Ending = { signal: 'SIGTERM', when: /"msg":"listening"/ }
const tailing = (when: RegExp): Ending => ({ signal: 'SIGINT', when })
const receiptShown: RunHere = { exit: 0, says: /"outcome": ?"allowed"/ }
const token: RunHere = { exit: 0, says: /^g1\.[\w-]+\.[\w-]{43}$/m }
const accepted: RunHere = {
  exit: 0,
  says: /^\{"verdict":"accept","id":"[^"]+","caveats":\["tools = HTTP_GET"\]\}$/m,
  with: ({ buildKey }) => ({ env: { NARROWGATE_BUILD_KEY: buildKey } }),
}
const bare: RunHere['with'] = ({ lab }) => ({ env: { PATH: lab.bareBin } })

/** Where the gateway of the pages is, which is asked itself and not as a proxy. */
const posted = (line: string, says: RegExp): RunHere => ({
  exit: 0,
  says,
  as: `eval "$(narrowgate env)"; GATEWAY=\${http_proxy##*@}; GATEWAY=\${GATEWAY%/}; ${line.replace('curl', "curl -sS --noproxy '*'")}`,
})

/** How each command of the pages is run. `serve`, `build` and `link` come first, in `commands.test.ts`. */
export const TABLE: Readonly<Record<string, RunHere | RunThere>> = {
  [`curl -H "x-narrowgate-key: $OWNER_KEY" -H 'content-type: application/json' -d '{"from":{"task":"T-7"}}' http://127.0.0.1:3129/api/jarticles`]:
    {
      file: 'test/flow/articles.test.ts',
      holds: /owner\('POST', '\/api\/jarticles', \{ from: \{ task: 'T-7' \} \}\)/,
    },
  [`curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3128/a/task-t-7.md`]: posted(
    `curl -H "Authorization: Bearer $TOKEN" http://$GATEWAY/a/task-t-7.md`,
    /"code":"not_found".*a slug without an article/,
  ),
  'npm ci && npm run demo': {
    file: 'test/cli/demo.test.ts',
    holds: /narrowgate\(\['demo'\]/,
    script: ['demo', /node dist\/cli\/main\.js demo$/],
  },
  'npm ci && npm test': {
    file: '.ci/run',
    holds: /npm ci [^]*^test_step 'test' test /m,
    script: ['test', /\btap$/],
  },
  'npm run bench': {
    file: 'test/bench/smoke.test.ts',
    holds: /dist\/bench\/run\.js/,
    script: ['bench', /node dist\/bench\/run\.js$/],
  },
  'npm run bench:micro': {
    file: 'test/bench/micro.test.ts',
    holds: /dist\/bench\/micro\/run\.js/,
    script: ['bench:micro', /node .*dist\/bench\/micro\/run\.js$/],
  },
  'npm run bench:ledger': {
    file: 'test/bench/ledger.test.ts',
    holds: /dist\/bench\/ledger\/run\.js/,
    script: ['bench:ledger', /node dist\/bench\/ledger\/run\.js$/],
  },
  'npm run bench:ledger -- figures memory --rows 1000000': {
    file: 'test/bench/ledger.test.ts',
    holds: /\['figures', 'memory', '--rows', '700'\]/,
    script: ['bench:ledger', /node dist\/bench\/ledger\/run\.js$/],
  },
  'npm run bench:catalog': {
    file: 'test/bench/catalog.test.ts',
    holds: /dist\/bench\/catalog\/run\.js/,
    script: ['bench:catalog', /node dist\/bench\/catalog\/run\.js$/],
  },
  'npm run bench:catalog -- resolve --rows 10000 --json': {
    file: 'test/bench/catalog.test.ts',
    holds: /bench\('light', '--json'/,
    script: ['bench:catalog', /node dist\/bench\/catalog\/run\.js$/],
  },
  'npm run check': {
    file: '.ci/run',
    holds: /npm run --silent check$/m,
    script: ['check', /oxlint .*depcruise .*knip/],
  },
  'npm run test:long': {
    file: '.ci/run',
    holds: /test_step 'long tests' test:long /m,
    script: ['test:long', /tap 'test\/long\//],
  },
  'npm run fuzz': {
    file: 'test/wire/smuggling-heads.test.ts',
    holds: /sendMutants/,
    script: ['fuzz', /tsx test\/long\/smuggling\.ts$/],
  },
  'npm run soak': {
    file: 'test/long/soak.ts',
    holds: /npm run soak -- 2/,
    script: ['soak', /tsx test\/long\/soak\.ts$/],
  },
  'npx oxfmt': {
    file: '.ci/run',
    holds: /npm run --silent check$/m,
    script: ['check', /oxfmt --check/],
  },
  'narrowgate find --help': help,
  'narrowgate find <question..>': { file: 'test/cli/find.test.ts', holds: /'find', 'how', 'do'/ },
  'narrowgate find how do I list the issues of a repo': {
    file: 'test/cli/find.test.ts',
    holds: /'find', 'how', 'do', 'I', 'list'/,
  },
  'narrowgate find send a text message --token - < token.txt': {
    file: 'test/cli/find.test.ts',
    holds: /'--token', token/,
  },
  'narrowgate catalog import api.github.com.json --prefix GITHUB': {
    file: 'test/cli/catalog-import.test.ts',
    holds: /'catalog', 'import', 'pets\.json', '--prefix', 'PETS'/,
  },
  'narrowgate catalog import <document>': {
    file: 'test/cli/catalog-import.test.ts',
    holds: /'catalog', 'import', 'pets\.json'/,
  },
  'narrowgate catalog import pets.yaml --prefix PETS --host pets.test --dry-run': {
    file: 'test/cli/catalog-import.test.ts',
    holds: /'--dry-run'/,
  },
  'narrowgate call --help': help,
  'narrowgate misc --help': help,
  'narrowgate call <tool> [args..]': { file: 'test/flow/ways.test.ts', holds: /'misc', 'SEARCH'/ },
  'narrowgate call HTTP_GET url=https://api.github.com/zen': {
    exit: 0,
    says: /this is api\.github\.com/,
    as: `eval "$(narrowgate env)"; NARROWGATE_GATEWAY=http://\${http_proxy##*@} NARROWGATE_TOKEN="$TOKEN" narrowgate call HTTP_GET url=https://api.github.com/zen`,
  },
  [`narrowgate call GITHUB_ISSUES_LIST_FOR_REPO --json '{"owner":"nodejs","repo":"node"}' --want number,title`]:
    { file: 'test/flow/ways.test.ts', holds: /'--json', '\{"title":"x"\}', '--want', 'pong'/ },
  'narrowgate catalog ways <tool> [args..]': {
    file: 'test/flow/ways.test.ts',
    holds: /'catalog', 'ways', 'SEARCH'/,
  },
  'narrowgate catalog ways HTTP_GET url=https://api.github.com/zen': {
    exit: 0,
    says: /^# curl, with sh\ncurl -sS /m,
  },
  'narrowgate catalog ways HTTP_GET --way curl --token - < token.txt': {
    exit: 0,
    says: /^curl -sS -H "Authorization: Bearer g1\./m,
  },
  'narrowgate mcp --help': help,
  'narrowgate mcp': { file: 'test/flow/mcp-streams.test.ts', holds: /run\(\['mcp'\]/ },
  'narrowgate mcp --gateway http://10.0.0.5:3128': {
    file: 'test/mcp/clients.ts',
    holds: /'mcp', '--gateway'/,
  },
  'node --import tsx': { file: 'cli/lab/lab.ts', holds: /resolve\('tsx'\)/ },
  'narrowgate demo': { file: 'test/cli/demo.test.ts', holds: /narrowgate\(\['demo'\]/ },
  'narrowgate doctor': { file: 'test/cli/doctor.test.ts', holds: /narrowgate\(\['doctor'/ },
  'docker build -t narrowgate .': {
    file: 'test/rules/dockerfile.test.ts',
    holds: /dockerfilelint/,
  },
  'docker run -p 3128:3128 -v narrowgate-state:/state narrowgate': {
    file: 'test/rules/dockerfile.test.ts',
    holds: /dockerfilelint/,
  },

  'narrowgate serve --config /etc/narrowgate.yaml --state /var/lib/narrowgate': {
    exit: 0,
    says: /SIGTERM/,
    ending: listening,
  },
  'narrowgate serve --listen 127.0.0.1:0 --listen-owner 127.0.0.1:0': {
    exit: 0,
    says: /"proxy":"127\.0\.0\.1:\d+"/,
    ending: listening,
    with: ({ lab }) => ({ cwd: lab.home, env: { NARROWGATE_STATE: `${lab.work}/other` } }),
  },

  'narrowgate run -- curl https://example.com': { exit: 0, says: /this is example\.com/ },
  'narrowgate run -- curl https://api.github.com/zen': {
    exit: 0,
    says: /this is api\.github\.com/,
  },
  'narrowgate run --tools HTTP_GET --expires 15m -- python3 agent.py': {
    exit: 0,
    says: /this is api\.github\.com/,
  },
  'narrowgate run --without uses -- npm ci': { exit: 0, says: /up to date|added 0|audited 1/ },
  'narrowgate run [options] -- <command>': {
    exit: 7,
    says: /task = T-1/,
    as: `narrowgate run --task T-1 -- sh -c 'exit 7'`,
  },
  [`curl -H "Authorization: Bearer $TOKEN" -d '{"tool":"HTTP_GET","args":{"url":"https://api.github.com/zen"}}' http://127.0.0.1:3128/g/run`]:
    posted(
      `curl -H "Authorization: Bearer $TOKEN" -d '{"tool":"HTTP_GET","args":{"url":"https://api.github.com/zen"}}' http://$GATEWAY/g/run`,
      /this is api\.github\.com/,
    ),
  [`curl -H "Authorization: Bearer $TOKEN" -d '[{"key":"a","tool":"HTTP_GET","args":{"url":"https://api.github.com/zen"}},{"url":"https://api.github.com/zen"}]' http://127.0.0.1:3128/api/invoke-json`]:
    posted(
      `curl -H "Authorization: Bearer $TOKEN" -d '[{"key":"a","tool":"HTTP_GET","args":{"url":"https://api.github.com/zen"}},{"url":"https://api.github.com/zen"}]' http://$GATEWAY/api/invoke-json`,
      /"key":"a","ok":true.*"key":"1","ok":true/,
    ),
  [`curl -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"query":"{ _tools }"}' http://127.0.0.1:3128/g/graphql`]:
    posted(
      `curl -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"query":"{ _tools }"}' http://$GATEWAY/g/graphql`,
      /\{"data":\{"_tools":\d+\}\}/,
    ),
  [`curl -N -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:3128/g/sse/HTTP_GET?url=https%3A%2F%2Fapi.github.com%2Fzen'`]:
    posted(
      `curl -N -H "Authorization: Bearer $TOKEN" "http://$GATEWAY/g/sse/HTTP_GET?url=https%3A%2F%2Fapi.github.com%2Fzen"`,
      /^event: answer\nid: .*\ndata: .*this is api\.github\.com.*\n\nevent: end$/m,
    ),
  "curl -H 'want: number,title,user.login' https://api.github.com/repos/nodejs/node/issues": {
    exit: 0,
    as: `eval "$(narrowgate env)"; curl -sS -H 'want: number,title,user.login' https://api.github.com/repos/nodejs/node/issues`,
    says: /\[\{"number":1,"title":"the title of 1","user":\{"login":"octo"\}\},/,
  },

  'narrowgate env': { exit: 0, says: /^export HTTPS_PROXY='?http:\/\/agent:g1\./m },
  'narrowgate env --token - --format compose < token.txt': {
    exit: 0,
    says: /HTTPS_PROXY: .*http:\/\/agent:g1\./,
  },
  'narrowgate env --gateway http://10.0.0.5:3128 --format dockerfile': {
    exit: 0,
    says: /^ENV HTTPS_PROXY="?http:\/\/agent:g1\.[^@]+@10\.0\.0\.5:3128/m,
  },

  'narrowgate grant mint [options]': { ...token, as: 'narrowgate grant mint --tools HTTP_GET' },
  'narrowgate grant mint --run': token,
  "narrowgate grant mint --tools 'HTTP_GET,GITHUB_*' --expires 2h --uses 100 --task T-1": token,
  "narrowgate grant mint --tools 'HTTP_*' --arg 'HTTP_GET.host = api.github.com'": token,
  "narrowgate grant narrow \"$TOKEN\" 'arg HTTP_GET.host = api.github.com' 'uses <= 5'": token,
  "narrowgate grant narrow - 'uses <= 3' 'tools = HTTP_GET' < token.txt": token,
  "narrowgate grant narrow g1.… 'expires < 2027-01-01T00:00:00Z'": token,
  'narrowgate grant narrow <token> <caveats..>': token,
  'narrowgate grant show "$TOKEN"': { exit: 0, says: /tools = HTTP_GET/ },
  'narrowgate grant show - < token.txt': { exit: 0, says: /verif/ },
  'narrowgate grant show <token>': { exit: 0, says: /tools = HTTP_GET/ },
  'narrowgate grant show g_01J9Z8K2M4Q7': { exit: 0, says: /minted .* by/ },
  'narrowgate grant leash <grant> <caveats..>': { exit: 0, says: /leashed/ },
  "narrowgate grant leash g_01J9Z8K2M4Q7 'tools = HTTP_GET'": { exit: 0, says: /leashed/ },
  "narrowgate grant leash g_01J9Z8K2M4Q7 'uses <= 10'": { exit: 0, says: /at most 10 calls/ },
  'narrowgate grant list': { exit: 0, says: /HTTP_GET/ },
  'narrowgate grant verify --stdin': {
    ...accepted,
    as: 'narrowgate grant verify --stdin < tokens.jsonl',
  },
  'narrowgate grant verify --stdin < tokens.jsonl': accepted,

  'narrowgate why <token> <method> <url> [body]': {
    exit: 0,
    says: /^allowed {2}HTTP_GET/m,
    as: 'narrowgate why <token> GET https://api.github.com/zen',
  },
  'narrowgate why - GET https://api.github.com/zen < token.txt': {
    exit: 0,
    says: /^ {2}holds {5}tools = HTTP_GET/m,
  },
  [`narrowgate why "$TOKEN" POST https://api.github.com/graphql '{"query":"{viewer{login}}"}' --cedar`]:
    { exit: 1, says: /^permit \(principal, action, resource\)$/m },
  'narrowgate policy test <fixtures>': {
    exit: 0,
    says: /1 replayed, 1 changed/,
    as: 'narrowgate policy test fixtures.yaml',
  },
  'narrowgate policy test fixtures.yaml': {
    exit: 0,
    says: /^allowed +tool_not_granted +HTTP_DELETE/m,
  },
  'narrowgate policy test fixtures.yaml --json': { exit: 0, says: /^\{"replayed":\[\{/ },
  'narrowgate policy test --help': help,
  'narrowgate ledger list --json > receipts.json': {
    exit: 0,
    as: 'narrowgate ledger list --json > receipts.json && cat receipts.json',
    says: /^\[\{"id"/,
  },

  'narrowgate ledger list': { exit: 0, says: /HTTP_GET/ },
  'narrowgate ledger list --outcome refused --since 1h': { exit: 0, says: /HTTP_DELETE/ },
  'narrowgate ledger list --task T-7 --json': { exit: 0, says: /"task":"T-7\/3"/ },
  'narrowgate ledger show <id>': receiptShown,
  'narrowgate ledger show <receipt>': receiptShown,
  'narrowgate ledger show 0199d2c4-…': receiptShown,
  'narrowgate ledger tail': { exit: 0, says: /HTTP_GET/, ending: tailing(/HTTP_GET/) },
  'narrowgate ledger tail --outcome refused': {
    exit: 0,
    says: /tool_not_granted/,
    ending: tailing(/HTTP_DELETE/),
  },
  // The signal of a terminal ends jq too.
  'narrowgate ledger tail --json | jq .tool': {
    exit: null,
    says: /^"HTTP_GET"$/m,
    ending: tailing(/^"HTTP_GET"$/m),
  },
  'narrowgate ledger query <view> [terms..]': {
    exit: 0,
    says: /^RUN .*T-7 /ms,
    as: 'narrowgate ledger query runs',
  },
  "narrowgate ledger query exchanges outcome=refused 'tool=GITHUB_*' since=1d order=-opened": {
    exit: 0,
    says: /nothing matches/,
  },
  'narrowgate ledger query exchanges by=tool p95=ms order=-p95.ms limit=10': {
    exit: 0,
    says: /^TOOL +P95\.MS$/m,
  },
  'narrowgate ledger query tasks since=7d --csv': { exit: 0, says: /^task,run,grants,seq/m },
  'narrowgate ledger ask <question..>': {
    exit: 0,
    says: /HTTP_DELETE/,
    as: 'narrowgate ledger ask refused calls today',
  },
  'narrowgate ledger ask refused calls to github yesterday by task': {
    exit: 0,
    says: /understood as exchanges .*nothing matches/s,
  },
  'narrowgate ledger ask 10 slowest calls in the last 2 hours': { exit: 0, says: /HTTP_GET/ },
  'narrowgate ledger ask refused calls yesterday by task': { exit: 0, says: /nothing matches/ },
  'narrowgate ledger key': { exit: 0, says: /^narrowgate\+[0-9a-f]{8}\+/ },
  'narrowgate ledger key > ledger.vkey': {
    exit: 0,
    says: /^narrowgate\+[0-9a-f]{8}\+/,
    as: 'narrowgate ledger key > ledger.vkey && cat ledger.vkey',
  },
  'narrowgate ledger retain --help': help,
  'narrowgate ledger key --help': help,
  'narrowgate ledger show --help': help,
  'narrowgate ledger verify --help': help,
  'narrowgate ledger retain --older-than <age>': {
    exit: 0,
    says: /^0 bodies erased/,
    as: 'narrowgate ledger retain --older-than 30d',
  },
  'narrowgate ledger retain --older-than 30d': { exit: 0, says: /^0 bodies erased/ },
  'narrowgate ledger verify ./copy --key ledger.vkey --checkpoint kept.txt': {
    exit: 0,
    says: /records signed with the key/,
    as: 'narrowgate ledger key > own.vkey && head -n 5 copy/w_*/checkpoints.txt > kept.txt && narrowgate ledger verify ./copy --key own.vkey --checkpoint kept.txt',
  },
  'narrowgate ledger verify ./copy --receipt mine.json': {
    exit: 0,
    says: /^verified/,
    as: 'narrowgate ledger show <receipt> > mine.json && narrowgate ledger verify ./copy --receipt mine.json',
  },
  'node verify.mjs log ./copy --key ledger.vkey --checkpoint kept.txt --receipt mine.json': {
    file: 'test/flow/ledger-proofs.test.ts',
    holds: /script\('log', join\(state, 'ledger'\), \.\.\.heads, \.\.\.kept\)/,
  },
  'node verify.mjs consistency kept.txt http://127.0.0.1:3129 --key ledger.vkey': {
    file: 'test/flow/ledger-proofs.test.ts',
    holds: /script\('consistency', 'kept\.txt', owner\)/,
  },
  'node verify.mjs inclusion proof.json --key ledger.vkey': {
    file: 'test/flow/ledger-proofs.test.ts',
    holds: /script\('inclusion', 'proof\.json'\)/,
  },
  'narrowgate ledger query --help': help,
  'narrowgate ledger ask --help': help,
  'narrowgate ledger export': { exit: 0, says: /"kind":"receipt","record":\{"id":/ },
  'narrowgate ledger export > ledger.ndjson': {
    exit: 0,
    says: /"position":1,/,
    as: 'narrowgate ledger export > ledger.ndjson && cat ledger.ndjson',
  },
  'narrowgate ledger export --format parquet --since 7d > week.parquet': {
    exit: 0,
    says: /^PAR1$/m,
    as: 'narrowgate ledger export --format parquet --since 7d > week.parquet && head -c 4 week.parquet',
  },
  'narrowgate ledger verify': { exit: 0, says: /verified|records/ },
  'narrowgate ledger verify [folder]': {
    exit: 0,
    says: /verified|records/,
    as: 'narrowgate ledger verify ./copy',
  },
  'narrowgate ledger verify --head <hash>': { exit: 0, says: /verified|records/ },
  'narrowgate ledger verify ./copy --head 9f2c…': { exit: 0, says: /verified|records/ },

  'narrowgate ca show': { exit: 0, says: /sha256 +[\dA-F:]{95}/ },
  'narrowgate ca show --pem > narrowgate-ca.pem': {
    exit: 0,
    as: 'narrowgate ca show --pem > narrowgate-ca.pem && cat narrowgate-ca.pem',
    says: /^-----BEGIN CERTIFICATE-----/,
  },
  // On a machine whose store is not known, for on any other one it would be changed.
  'narrowgate ca install': { exit: 1, says: /by hand/, with: bare },
  'narrowgate ca install --dry-run': { exit: 0, says: /^cp .*\/ca\.pem .*\nupdate-ca/m },
  'narrowgate ca install --nssdb ~/.pki/nssdb': {
    exit: 0,
    says: /certutil -d sql:\S+\/\.pki\/nssdb -A/,
    with: bare,
  },

  'narrowgate check': { exit: 0, says: /narrowgate\.yaml/ },
  'narrowgate check --config /etc/narrowgate.yaml --json': { exit: 0, says: /^[{[]/ },
  'narrowgate version': { exit: 0, says: /^\d+\.\d+\.\d+$/m },
  'narrowgate version --json': { exit: 0, says: /"\d+\.\d+\.\d+"/ },
  'narrowgate completion --help': { exit: 0, says: /complete/, as: 'narrowgate completion' },
  'narrowgate <verb> --help': { exit: 0, says: /Examples:/, as: 'narrowgate grant mint --help' },
  'narrowgate run --help': help,
  'narrowgate env --help': help,
  'narrowgate serve --help': help,
  'narrowgate check --help': help,
  'narrowgate doctor --help': help,
  'narrowgate grant show --help': help,
  'narrowgate ca install --help': help,

  'narrowgate grant revoke <grant>': { exit: 0, says: /revoked/ },
  'narrowgate grant revoke g_01J9Z8K2M4Q7': { exit: 0, says: /revoked/ },
  'narrowgate grant revoke l4I_VMlWivmJCI3BVRiqEG': { exit: 0, says: /revoked [\w-]{22}\b/ },
}

/** A page's line with the values of this lab in the places of the examples' own. */
export function filledIn(
  line: string,
  { lab, token: text, grant, link, receipt, head }: Values,
): string {
  const places: readonly (readonly [string, string])[] = [
    ['/etc/narrowgate.yaml', `${lab.etc}/narrowgate.yaml`],
    ['/var/lib/narrowgate', `${lab.etc}/state`],
    ['g1.…', text],
    ['<token>', text],
    ['<caveats..>', `'uses <= 1'`],
    ['g_01J9Z8K2M4Q7', grant],
    ['<grant>', grant],
    ['l4I_VMlWivmJCI3BVRiqEG', link],
    ['0199d2c4-…', receipt],
    ['<id>', receipt],
    ['<receipt>', receipt],
    ['9f2c…', head],
    ['<hash>', head],
  ]
  return places.reduce((filled, [place, value]) => filled.replaceAll(place, value), line)
}

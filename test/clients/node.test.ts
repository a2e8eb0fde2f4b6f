import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS } from '../rig/upstreams/api.ts'
import { ISSUE_COUNT } from '../rig/upstreams/github.ts'
import { checkLibrary, LIBRARY_URLS } from './library.ts'
import { matrix } from './matrix.ts'
import type { Client } from './matrix.ts'
import { checkSocket } from './socket.ts'
import { checkStream } from './streaming.ts'
import { checkUpload } from './upload.ts'

/** A program that does all that `library.ts` looks at. */
function library(name: string, program: string): Client {
  return {
    name,
    needs: [],
    host: 'api.ng.test',
    call: (box) => box.node(program, ...LIBRARY_URLS),
    answered: (t, call) => checkLibrary(t, call.stdout),
    refusal: /tool_not_granted/,
  }
}

/** An SDK's program that prints what it heard, and when. */
function streaming(name: string, program: string, rest: Pick<Client, 'host' | 'slot'>): Client {
  return {
    ...rest,
    name,
    needs: [],
    call: (box) => box.node(program),
    answered: (t, call) => checkStream(t, call.stdout),
    refusal: /403[^]*tool_not_granted/,
  }
}

/** undici asks for a tunnel even for http, and speaks clear text in it. */
const clearText: Client = {
  name: 'fetch, clear text in a tunnel',
  needs: [],
  host: 'plain.ng.test',
  call: (box) => box.node('fetch.ts', 'http://plain.ng.test/rows'),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
}

const npm: Client = {
  name: 'npm',
  needs: ['npm'],
  host: 'npm.ng.test',
  call(box) {
    box.file('package.json', '{"name":"consumer","private":true}')
    const registry = '--registry=https://npm.ng.test/'
    return box.exec(['npm', 'install', registry, '--no-audit', '--no-fund', 'ngdemo'])
  },
  answered(t, _call, { box }) {
    const module = readFileSync(join(box.folder, 'node_modules/ngdemo/index.js'), 'utf8')
    t.match(module, 'hello from the tarball', 'the package is installed')
  },
  refusal: /E403[^]*tool_not_granted/,
}

const octokit: Client = {
  name: '@octokit/rest',
  needs: [],
  host: 'github.ng.test',
  call: (box) => box.node('octokit.ts'),
  answered(t, call) {
    const titles = JSON.parse(call.stdout) as readonly string[]
    t.equal(titles.length, ISSUE_COUNT, 'all pages are there')
    t.equal(titles.at(-1), `issue ${ISSUE_COUNT}`, 'and in order')
  },
  refusal: /403[^]*tool_not_granted/,
}

const webSocket: Client = {
  name: 'ws',
  needs: [],
  host: 'ws.ng.test',
  call: (box) => box.node('websocket.ts', 'wss://ws.ng.test/echo'),
  answered: (t, call) => checkSocket(t, call.stdout),
  refusal: /403/,
}

/** It names a bucket by its host: `rig-bucket.s3.ng.test`. */
const s3: Client = {
  name: '@aws-sdk/client-s3',
  needs: [],
  host: 's3.ng.test',
  slot: 'sigv4',
  call: (box) => box.node('object-s3.ts'),
  answered(t, call, { arrivals }) {
    t.strictSame(JSON.parse(call.stdout), { same: true, keys: ['sdk'] }, 'the object comes back')
    checkUpload(t, arrivals, {
      host: 'rig-bucket.s3.ng.test',
      expect: '100-continue',
      'content-encoding': 'aws-chunked',
      'x-amz-trailer': 'x-amz-checksum-crc32',
    })
  },
  refusal: /403/,
}

matrix(
  'Node',
  library('fetch', 'library-fetch.ts'),
  { ...library('fetch by NODE_USE_ENV_PROXY', 'library-fetch-alone.ts'), node: 24 },
  clearText,
  library('undici', 'library-undici.ts'),
  library('axios', 'library-axios.ts'),
  library('got', 'library-got.ts'),
  library('node-fetch', 'library-node-fetch.ts'),
  library('global-agent', 'library-global-agent.ts'),
  webSocket,
  npm,
  octokit,
  streaming('openai', 'openai.ts', { host: 'openai.ng.test' }),
  streaming('@anthropic-ai/sdk', 'anthropic.ts', { host: 'anthropic.ng.test', slot: 'x-api-key' }),
  streaming('@modelcontextprotocol/sdk', 'mcp.ts', { host: 'mcp.ng.test' }),
  s3,
)

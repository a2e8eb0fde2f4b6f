import { execFileSync, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLfs } from './lfs.ts'
import type { Site } from './site.ts'

/** Makes a bare repository with one commit, and serves it over smart HTTP by git's own program, and git-lfs beside it. */
export function createGit(folder: string): Site {
  const root = join(folder, 'repositories')
  plant(root)
  const lfs = createLfs()
  return {
    name: 'git',
    handle: (call) => {
      const { request, response, url } = call
      if (/\/lfs\//.test(url.pathname)) return lfs(call)
      const backend = spawn('git', ['http-backend'], { env: environment(root, request, url) })
      request.pipe(backend.stdin)
      backend.stdin.on('error', () => request.resume())
      relay(backend.stdout, response)
    },
  }
}

function plant(root: string): void {
  const bare = join(root, 'hello.git')
  const work = join(root, 'work')
  mkdirSync(work, { recursive: true })
  const git = (...args: string[]): void => void execFileSync('git', args, { stdio: 'ignore' })
  const identity = ['-c', 'user.name=rig', '-c', 'user.email=rig@ng.test']
  git('init', '-q', '-b', 'main', work)
  writeFileSync(join(work, 'README'), 'hello from the rig\n')
  git('-C', work, 'add', 'README')
  git('-C', work, ...identity, 'commit', '-q', '-m', 'first')
  git('clone', '-q', '--bare', work, bare)
  git('-C', bare, 'config', 'http.receivepack', 'true')
}

/** The request as a CGI program expects it (RFC 3875), and git's protocol version. */
function environment(root: string, request: IncomingMessage, url: URL): NodeJS.ProcessEnv {
  const header = (name: string): string => String(request.headers[name] ?? '')
  return {
    PATH: process.env['PATH'],
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: header('git-protocol'),
    REMOTE_USER: 'rig',
    REQUEST_METHOD: request.method,
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: header('content-type'),
    CONTENT_LENGTH: header('content-length'),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
  }
}

/** Turns a CGI answer into an HTTP one. */
function relay(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    output.off('data', readHead)
    writeHead(head.subarray(0, end).toString('latin1'), response)
    response.write(head.subarray(end + 4))
    output.pipe(response)
  }
  output.on('data', readHead)
}

function writeHead(head: string, response: ServerResponse): void {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'status') response.statusCode = Number(value.slice(0, 3))
    else response.setHeader(name, value)
  }
}

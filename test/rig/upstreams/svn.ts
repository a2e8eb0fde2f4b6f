import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Call, Site } from './site.ts'

const MODULES = '/usr/lib/apache2/modules'
const LOADED = ['mpm_prefork', 'authz_core', 'dav', 'dav_svn'] as const
const PORT = 8090
const START_MS = 10_000

/** A repository served by Apache's own module, which starts with the first request: most rigs have none. */
export function createSvn(folder: string): Site {
  let started: Promise<void> | undefined
  return {
    name: 'svn',
    async handle(call) {
      started ??= startApache(folder)
      await started
      relay(call)
    },
  }
}

async function startApache(folder: string): Promise<void> {
  const home = join(folder, 'svn')
  const repository = join(home, 'repository')
  mkdirSync(home)
  execFileSync('svnadmin', ['create', repository])
  // Apache does not serve as root
  execFileSync('chown', ['-R', 'www-data:www-data', home])
  chmodSync(folder, 0o711)
  const lines = [
    ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    `ServerRoot ${home}`,
    'ServerName svn.ng.test',
    `PidFile ${join(home, 'pid')}`,
    `ErrorLog ${join(home, 'errors')}`,
    `Listen 127.0.0.1:${PORT}`,
    'User www-data',
    'Group www-data',
    `<Location /demo>\nDAV svn\nSVNPath ${repository}\n</Location>`,
  ]
  const config = join(home, 'apache.conf')
  writeFileSync(config, lines.join('\n'))
  // it ends with the namespace that it runs in, and must not hold this process's output open until then
  spawn('/usr/sbin/apache2', ['-X', '-f', config], { stdio: 'ignore' })
  for (const end = Date.now() + START_MS; !(await isOpen());) {
    if (Date.now() > end) throw new Error('apache2 did not listen in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function isOpen(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORT, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function relay({ request, response }: Call): void {
  const { method, url: path, headers } = request
  const onward = httpRequest({ host: '127.0.0.1', port: PORT, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
  })
  onward.once('error', () => response.destroy())
  request.pipe(onward)
}

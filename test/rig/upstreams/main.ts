/**
 * The upstreams of the rig, in one process: `node --import tsx main.ts <folder> <address>`.
 * Writes `ca.pem` and `journal.ndjson` into the folder, listens on 443 and 80, says so in one JSON line,
 * and ends with its standard input, so that it never outlives the test that started it.
 */
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { anthropic } from './anthropic.ts'
import { api } from './api.ts'
import { createCredentials } from './certificate.ts'
import { cluster } from './cluster.ts'
import { debian } from './debian.ts'
import { createGit } from './git.ts'
import { github } from './github.ts'
import { createImages } from './images.ts'
import { record } from './journal.ts'
import { createMcp } from './mcp.ts'
import { openai } from './openai.ts'
import { crates, npm, pypi } from './registries.ts'
import { createS3 } from './s3.ts'
import { sendNothingHere } from './site.ts'
import type { Site } from './site.ts'
import { createSvn } from './svn.ts'

const [folder, address] = process.argv.slice(2)
if (folder === undefined || address === undefined) {
  throw new Error('two arguments are needed: <folder> <address>')
}
const journal = join(folder, 'journal.ndjson')
const plain: Site = { ...api, name: 'plain' }
const sites = [
  anthropic,
  api,
  cluster,
  crates,
  debian,
  createGit(folder),
  github,
  createImages(),
  createMcp(),
  npm,
  openai,
  plain,
  pypi,
  createS3(),
  createSvn(folder),
]
/** What a host below a site's own belongs to: `bucket.s3.ng.test`. */
const BELOW = /^.*?\.(\w+\.ng\.test)$/
const bySite = new Map(sites.map((site) => [`${site.name}.ng.test`, site]))

function answer(request: IncomingMessage, response: ServerResponse, scheme: string): void {
  record(journal, request)
  const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host}`)
  const site = bySite.get(url.hostname.replace(BELOW, '$1'))
  if (site === undefined) return sendNothingHere(response)
  Promise.resolve(site.handle({ request, response, url })).catch((error: unknown) => {
    process.stderr.write(`${url.href}: ${String(error)}\n`)
    response.destroy()
  })
}

const sockets = new WebSocketServer({ noServer: true })
sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
})

async function listen(server: Server, port: number): Promise<void> {
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    record(journal, request)
    sockets.handleUpgrade(request, socket, head, (client) => {
      sockets.emit('connection', client, request)
    })
  })
  server.listen(port, address)
  await once(server, 'listening')
}

const { authority, certificate, key } = await createCredentials(['*.ng.test', '*.s3.ng.test'])
writeFileSync(join(folder, 'ca.pem'), authority)
writeFileSync(journal, '')
const secure = createHttpsServer({ cert: certificate, key }, (request, response) =>
  answer(request, response, 'https'),
)
const clear = createHttpServer((request, response) => answer(request, response, 'http'))
await Promise.all([listen(secure, 443), listen(clear, 80)])
process.stdout.write(`${JSON.stringify({ msg: 'listening', https: address, http: address })}\n`)
process.stdin.resume().once('end', () => process.exit())

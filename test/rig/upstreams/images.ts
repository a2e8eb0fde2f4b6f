import { createHash } from 'node:crypto'
import { tarGz } from './archives.ts'
import { readBody, sendJson, sendNothingHere } from './site.ts'
import type { Call, Site } from './site.ts'

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json'
const LAYER = tarGz({ 'greeting.txt': 'hello from the layer\n' })
const CONFIG = Buffer.from(
  JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [`sha256:${'0'.repeat(64)}`] },
  }),
)

/** A registry of container images (OCI distribution 1.0) with `demo:1`, to which more can be pushed. */
export function createImages(): Site {
  const blobs = new Map([LAYER, CONFIG].map((bytes) => [digestOf(bytes), bytes]))
  const manifests = new Map([['1', manifest()]])
  return {
    name: 'images',
    async handle(call) {
      const { response, url } = call
      if (url.pathname === '/v2/') return sendJson(response, {})
      const [, kind, name = ''] = /^\/v2\/demo\/(manifests|blobs)\/(.+)$/.exec(url.pathname) ?? []
      if (kind === 'manifests') return serve(call, { store: manifests, name, type: MANIFEST_TYPE })
      if (kind === undefined) return sendNothingHere(response)
      if (name.startsWith('uploads/')) return upload(call, blobs)
      return serve(call, { store: blobs, name, type: 'application/octet-stream' })
    },
  }
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function manifest(): Buffer {
  const of = (mediaType: string, bytes: Buffer): object => ({
    mediaType,
    size: bytes.length,
    digest: digestOf(bytes),
  })
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST_TYPE,
      config: of('application/vnd.oci.image.config.v1+json', CONFIG),
      layers: [of('application/vnd.oci.image.layer.v1.tar+gzip', LAYER)],
    }),
  )
}

interface Named {
  readonly store: Map<string, Buffer>
  readonly name: string
  readonly type: string
}

async function serve({ request, response }: Call, { store, name, type }: Named): Promise<void> {
  if (request.method === 'PUT') {
    const bytes = await readBody(request)
    store.set(name, bytes)
    return void response.writeHead(201, { 'docker-content-digest': digestOf(bytes) }).end()
  }
  const bytes = store.get(name)
  if (bytes === undefined) return sendNothingHere(response)
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'docker-content-digest': digestOf(bytes),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

const UNDER_WAY = 'under way'

/** `POST` begins, `PATCH` brings bytes, `PUT` ends with the digest that they must have. One upload at a time. */
async function upload({ request, response, url }: Call, blobs: Map<string, Buffer>): Promise<void> {
  const bytes = await readBody(request)
  const before = request.method === 'POST' ? undefined : blobs.get(UNDER_WAY)
  const pending = before === undefined ? bytes : Buffer.concat([before, bytes])
  blobs.set(UNDER_WAY, pending)
  const digest = url.searchParams.get('digest')
  if (request.method === 'PUT' && digest !== null) {
    if (digest !== digestOf(pending)) return sendJson(response, { errors: [] }, 400)
    blobs.set(digest, pending)
    return void response.writeHead(201, { location: `/v2/demo/blobs/${digest}` }).end()
  }
  response.writeHead(202, {
    location: '/v2/demo/blobs/uploads/one',
    range: `0-${Math.max(0, pending.length - 1)}`,
    'docker-upload-uuid': 'one',
  })
  response.end()
}

/**
 * R2 as miniflare has it, for the tests: its binding behind a small HTTP door, and its S3 endpoint. Run by Node.js 24, with the
 * folder that miniflare is installed in. Tells its address in one line, and ends when its input does.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Running {
  readonly ready: Promise<URL>
  dispose(): Promise<void>
}

type Start = new (options: object) => Running

const [tools = '', accessKeyId = '', secretAccessKey = '', count = '0'] = process.argv.slice(2)
const { Miniflare } = createRequire(join(tools, 'package.json'))('miniflare') as {
  readonly Miniflare: Start
}

/** Runs inside workerd, where the binding is: the call in a header, the bytes in the body. */
const SCRIPT = `
const times = (onlyIf) => onlyIf && {
  ...onlyIf,
  ...('uploadedBefore' in onlyIf ? { uploadedBefore: new Date(onlyIf.uploadedBefore) } : {}),
  ...('uploadedAfter' in onlyIf ? { uploadedAfter: new Date(onlyIf.uploadedAfter) } : {}),
}
const http = (given) => given && {
  ...given,
  ...('cacheExpiry' in given ? { cacheExpiry: new Date(given.cacheExpiry) } : {}),
}
const shown = (object) => object && {
  key: object.key,
  version: object.version,
  size: object.size,
  etag: object.etag,
  httpEtag: object.httpEtag,
  uploaded: object.uploaded.getTime(),
  checksums: object.checksums.toJSON(),
  httpMetadata: {
    ...object.httpMetadata,
    ...(object.httpMetadata?.cacheExpiry && { cacheExpiry: object.httpMetadata.cacheExpiry.getTime() }),
  },
  customMetadata: object.customMetadata ?? {},
  range: object.range,
}
async function run({ name, bucket, key, keys, options = {} }, request, env) {
  const store = env[bucket]
  switch (name) {
    case 'head':
      return shown(await store.head(key))
    case 'get': {
      const object = await store.get(key, { ...options, onlyIf: times(options.onlyIf) })
      if (object === null || !object.body) return shown(object)
      return { ...shown(object), body: Buffer.from(await object.arrayBuffer()).toString('base64') }
    }
    case 'put': {
      const given = { ...options, ...options.checksums, onlyIf: times(options.onlyIf) }
      const bytes = await request.arrayBuffer()
      return shown(await store.put(key, bytes, { ...given, httpMetadata: http(options.httpMetadata) }))
    }
    case 'delete':
      await store.delete(keys)
      return null
    case 'list': {
      const page = await store.list(options)
      return { ...page, objects: page.objects.map(shown) }
    }
  }
}
export default {
  async fetch(request, env) {
    try {
      const call = JSON.parse(decodeURIComponent(request.headers.get('x-call')))
      return Response.json({ ok: true, value: (await run(call, request, env)) ?? null })
    } catch (error) {
      return Response.json({ ok: false, message: String(error) })
    }
  },
}
`

const names = Array.from({ length: Number(count) }, (_, at) => `bucket-${at}`)
const server = new Miniflare({
  modules: true,
  script: SCRIPT,
  compatibilityDate: '2026-01-01',
  compatibilityFlags: ['nodejs_compat'],
  r2Buckets: Object.fromEntries(
    names.map((id) => [id, { id, s3Credentials: { accessKeyId, secretAccessKey } }]),
  ),
  host: '127.0.0.1',
  port: 0,
  cf: false,
  log: undefined,
})
process.stdout.write(`${(await server.ready).href}\n`)
process.stdin.resume().once('end', () => void server.dispose().then(() => process.exit(0)))

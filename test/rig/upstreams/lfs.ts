import { createHash } from 'node:crypto'
import { readBody, sendBytes, sendJson, sendNothingHere } from './site.ts'
import type { Call } from './site.ts'

interface Batch {
  readonly operation: 'download' | 'upload'
  readonly objects: readonly { readonly oid: string; readonly size: number }[]
}

/** What git-lfs asks of the host of a repository: the batch API, and the objects themselves by their hash. */
export function createLfs(): (call: Call) => Promise<void> {
  const objects = new Map<string, Buffer>()
  return async ({ request, response, url }) => {
    if (url.pathname.endsWith('/info/lfs/objects/batch')) {
      const batch = JSON.parse((await readBody(request)).toString()) as Batch
      response.setHeader('content-type', 'application/vnd.git-lfs+json')
      return void response.end(JSON.stringify(answerTo(batch, url.origin, objects)))
    }
    const oid = /^\/lfs\/(\w{64})$/.exec(url.pathname)?.[1]
    if (oid === undefined) return sendNothingHere(response)
    if (request.method === 'GET') {
      return sendBytes(response, 'application/octet-stream', objects.get(oid) ?? '')
    }
    const body = await readBody(request)
    const isWhole = createHash('sha256').update(body).digest('hex') === oid
    if (isWhole) objects.set(oid, body)
    sendJson(response, {}, isWhole ? 200 : 422)
  }
}

function answerTo(
  { operation, objects }: Batch,
  origin: string,
  stored: ReadonlyMap<string, Buffer>,
): object {
  const action = (oid: string): object => ({ [operation]: { href: `${origin}/lfs/${oid}` } })
  return {
    transfer: 'basic',
    objects: objects.map(({ oid, size }) => ({
      oid,
      size,
      ...(operation === 'upload' && stored.has(oid) ? {} : { actions: action(oid) }),
    })),
  }
}

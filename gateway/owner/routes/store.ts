import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import { STORE_PATH, storeAddress } from '../../store/address.ts'
import { serveStore } from '../../store/serve.ts'
import type { OwnerPorts } from '../ports.ts'
import { addDoors } from './doors.ts'

/** The buckets, for the owner. What the owner changes is recorded before it is done. */
export function storeRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const serve = (request: FastifyRequest, reply: FastifyReply) => answer(request, reply, ports)
  void app.register(async (door) => {
    // Whatever comes is an object's bytes, which are read as they come.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', async () => undefined)
    for (const url of [`${STORE_PATH}/:bucket`, `${STORE_PATH}/:bucket/*`]) {
      door.head(url, serve)
      addDoors(door, url, {
        GET: serve,
        ...(url.endsWith('*') ? { PUT: { handler: serve }, DELETE: serve } : {}),
      })
    }
  })
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: OwnerPorts,
): Promise<FastifyReply> {
  const { raw } = request
  try {
    await record(request, ports)
    const { status, headers, body } = await serveStore(ports.buckets, {
      method: request.method,
      target: raw.url ?? '/',
      headers: raw.rawHeaders,
      // The request outlives whoever breaks off reading it: it is still to be answered.
      body: Readable.from(raw.iterator({ destroyOnReturn: false })),
    })
    for (let at = 0; at + 1 < headers.length; at += 2)
      reply.header(headers[at] as string, headers[at + 1])
    return reply.code(status).send(body ?? undefined)
  } catch (error) {
    if (raw.destroyed && !raw.complete) throw gone()
    // The rest is read and dropped, so that the client comes to read the answer.
    raw.resume()
    throw error
  }
}

function gone() {
  const repair = 'send it again'
  return refusal('malformed_request', 'body', { got: 'a body that broke off', repair })
}

async function record({ method, raw }: FastifyRequest, ports: OwnerPorts): Promise<void> {
  if (method !== 'PUT' && method !== 'DELETE') return
  const { bucket, key } = storeAddress(raw.url ?? '/')
  const event = method === 'PUT' ? 'object_put' : 'object_deleted'
  if (key !== undefined) await ports.record({ event, subject: `${bucket}/${key}`, data: {} })
}

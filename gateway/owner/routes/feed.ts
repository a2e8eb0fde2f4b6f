import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { refusal, type Refusal } from '../../refusal.ts'
import { pagesOf } from '../feed/pages.ts'
import { readFeedQuery } from '../feed/query.ts'
import { createFeedReaders } from '../feed/readers.ts'
import { MEDIA_TYPES, rendered } from '../feed/render.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

/** How often an event stream on which nothing happens says that it lives, in milliseconds. */
const IDLE_MS = 15_000

/** Receipts and events for programs that keep or watch them. What was durable at the request is in the answer. */
export function feedRoutes(app: FastifyInstance, { feed }: OwnerPorts): void {
  const readers = createFeedReaders()
  app.addHook('preClose', () => readers.stop())
  addGet(app, '/api/ledger/feed', async (request, reply) => {
    const query = readFeedQuery(request)
    await feed.sync()
    if (query.after > feed.end()) throw behindTheEnd(query.after, feed.end())
    // A connection that is left open behind the answer would hold up the gateway's stop.
    reply.headers({ 'content-type': MEDIA_TYPES[query.form], connection: 'close' })
    if (request.method === 'HEAD') return reply.send()
    const stopped = readers.enter(reply.raw)
    const pages = pagesOf(feed, query, { stopped, idleMs: IDLE_MS })
    // The head goes out before the first item, which may be long in coming.
    const begin = () => reply.raw.flushHeaders()
    return reply.send(Readable.from(rendered(pages, query.form, begin), { objectMode: false }))
  })
}

/** Waiting for such a position would leave out what this ledger writes until then. */
function behindTheEnd(after: number, end: number): Refusal {
  return refusal('malformed_request', 'after', {
    got: `\`${after}\`, which this ledger has not given`,
    repair: `its feed ends at ${end}: begin at 0 where this is another ledger, or an older copy of yours`,
  })
}

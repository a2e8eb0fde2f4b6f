import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Knock } from '../knock.ts'
import { lendBody } from './body.ts'
import type { LentBody } from './body.ts'
import type { Addressed, Doors } from './door.ts'
import { announcesBody, versionOf } from './framing.ts'
import { watchIdle } from './idle.ts'
import { writeInformation } from './information.ts'
import { createPresence } from './presence.ts'
import type { Presence } from './presence.ts'
import { discard, writeReply } from './reply.ts'

/** One HTTP/1 request that is to become a Knock. */
export interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly addressed: Addressed
  /** The client waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean
}

/** The way of one HTTP/1 request through its door: knock, exchange, reply. */
export async function serveVisit(visit: Visit, doors: Doors): Promise<void> {
  const { req, res } = visit
  const client = createPresence()
  const connection = doors.connections.of(req.socket)
  const end = doors.connections.begin(connection, () => client.left())
  if (visit.addressed.fault?.closes) doors.connections.retire(connection)
  watchIdle(req, res, doors.limits.idleMs)
  res.once('close', () => {
    if (!res.writableFinished) client.left()
    end()
  })
  const asked = { continued: !visit.expectsContinue }
  const body = announcesBody(req.rawHeaders) ? lendBody(req, doors.limits) : null
  const reply = await doors.exchange(knockOf(visit, { doors, client, asked, body }))
  body?.untimed()
  if (reply.socket) return discard(reply)
  // A client that was never told to go on may or may not send its body now: what follows would be ambiguous.
  const mustClose = () => doors.connections.closing || !asked.continued
  const onCut = () => client.cut()
  await writeReply({ req, res, mustClose, onCut, limits: doors.limits }, reply)
}

interface Around {
  readonly doors: Doors
  readonly client: Presence
  readonly asked: { continued: boolean }
  readonly body: LentBody | null
}

function knockOf({ req, res, addressed }: Visit, { doors, client, asked, body }: Around): Knock {
  // Written out, since this is made for every request and a spread costs more than all its fields.
  const { door, shape, origin, path, credential, inPath, mount, fault } = addressed
  return {
    door,
    shape,
    origin,
    path,
    credential,
    inPath,
    mount,
    fault,
    peer: doors.connections.of(req.socket).peer,
    httpVersion: versionOf(req),
    method: req.method ?? '',
    headers: req.rawHeaders,
    body,
    trailers: () => req.rawTrailers,
    upgrade: false,
    signal: client.signal,
    cancel: () => client.cancel(),
    proceed() {
      if (asked.continued || res.headersSent || res.destroyed) return
      asked.continued = true
      res.writeContinue()
    },
    inform(status, headers) {
      // The socket is a response's only while it is its turn on the connection.
      const { socket } = res
      if (versionOf(req) === '1.1' && socket && !res.headersSent)
        writeInformation(socket, status, headers)
    },
  }
}

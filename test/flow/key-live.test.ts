import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { flow, KEY } from '../helpers/gateway.ts'
import { SHAPES } from '../helpers/shapes.ts'

// Each event is sent only once the client has seen the one before: whatever is held back would hang.

const EVENTS = [
  'data: plain\n\n',
  `data: ${KEY.slice(0, 12)}\n\n`,
  `data: ${KEY}\n\n`,
  `data: {"k":"\\u0073${KEY.slice(1)}"}\n\n`,
  `data: ${Buffer.from(KEY).toString('base64').slice(0, 20)}\n\n`,
  `data: ${Buffer.from(KEY).toString('hex')}\n\n`,
  ': ping\n\n',
]

let next: ((event: string | undefined) => void) | undefined

function serve(req: IncomingMessage, res: ServerResponse): void {
  const coded = req.url === '/gzip'
  res.writeHead(200, {
    'content-type': 'text/event-stream',
    ...(coded ? { 'content-encoding': 'gzip' } : {}),
  })
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  if (coded) gzip.pipe(res)
  next = (event) => {
    const out = coded ? gzip : res
    if (event === undefined) out.end()
    else out.write(event)
  }
  next(EVENTS[0])
}

/** Reads until so many characters have come. */
async function readSome(body: Readable, length: number): Promise<string> {
  let text = ''
  while (text.length < length) {
    const piece = body.read() as Buffer | null
    if (piece === null) await once(body, 'readable')
    else text += piece.toString('latin1')
  }
  return text
}

flow(
  'each event is there, masked, before the next is sent',
  { keys: [{ header: 'x-key' }], serve },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES)
      for (const path of ['/plain', '/gzip']) {
        const headers = { 'accept-encoding': 'gzip' }
        const live = await gateway.open(shape, { token, path, headers })
        for (const [at, event] of EVENTS.entries()) {
          if (at > 0) next?.(event)
          const text = await readSome(live.body, event.length)
          const isKey = at === 2 || at === 3 || at === 5
          const shown = isKey ? /^data: (?:\{"k":")?\*+(?:"\})?\n\n$/ : event
          t.match(text, shown, `${shape}${path}: event ${at}`)
        }
        t.equal(live.header('content-encoding'), undefined)
        next?.(undefined)
        live.body.resume()
        if (!live.body.readableEnded) await once(live.body, 'end')
        live.leave()
      }
  },
)

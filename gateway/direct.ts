import { Readable } from 'node:stream'
import { createPresence } from './doors/presence.ts'
import { NOWHERE } from './doors/door.ts'
import type { Exchange, Reply } from './knock.ts'

/**
 * Calls a tool from inside of the process: `call` is what `POST /g/run` takes, as an object or as its text. It is judged and recorded
 * like every other call; a refusal is an answer with its document. The gateway's header fields are on the answer.
 */
export type DirectCall = (token: string, call: object | string) => Promise<Response>

/** `exchange` is the way of a call with the holder's doors before it. */
export function createDirectCall(exchange: Exchange): DirectCall {
  return async (token, call) => {
    const text = typeof call === 'string' ? call : JSON.stringify(call)
    const presence = createPresence()
    const reply = await exchange({
      door: 'rest',
      shape: 'run',
      // Nobody's address: the caller is the process itself.
      peer: '127.0.0.1:0',
      httpVersion: '1.1',
      method: 'POST',
      origin: NOWHERE,
      path: '/g/run',
      headers: ['content-type', 'application/json'],
      credential: token,
      body: Readable.from([Buffer.from(text)]),
      trailers: () => [],
      upgrade: false,
      signal: presence.signal,
      cancel: () => presence.cancel(),
      proceed: () => {},
      inform: () => {},
    })
    return responseOf(reply)
  }
}

/** Statuses whose answers have no body (Fetch, 2.2.3). */
const BODILESS: readonly number[] = [204, 205, 304]

function responseOf({ status, headers, body }: Reply): Response {
  const fields = new Headers()
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at]!, headers[at + 1]!)
  // The platform knows no others.
  const shown = status >= 200 && status <= 599 ? status : 502
  return new Response(BODILESS.includes(shown) ? null : bodyOf(body), {
    status: shown,
    headers: fields,
  })
}

function bodyOf(body: Reply['body']) {
  return body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : body
}

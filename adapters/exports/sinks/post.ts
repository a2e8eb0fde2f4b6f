import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { DeliveryFault } from '../sink.ts'

/** So much of an answer is kept; the rest is read and dropped. */
const KEPT_BYTES = 65_536
const IDLE_MS = 4000

/** Sends requests to one address, one at a time, over a connection that is kept. */
export interface Poster {
  /**
   * Resolves with the beginning of the answer's body once the answer is whole and its status is 2xx.
   * @throws DeliveryFault otherwise; its text holds nothing of what was sent
   */
  post(parcel: Parcel, signal: AbortSignal): Promise<Buffer>
  close(): void
}

interface Parcel {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Redirects are not followed: what was signed for one address is not for another. */
export function createPoster(address: string): Poster {
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  const agent = secure
    ? new SecureAgent({ keepAlive: true, maxSockets: 1, timeout: IDLE_MS })
    : new PlainAgent({ keepAlive: true, maxSockets: 1, timeout: IDLE_MS })
  const request = secure ? secureRequest : plainRequest
  return {
    post: ({ headers, body }, signal) =>
      new Promise((resolve, reject) => {
        const fail = (error: unknown) => reject(faultOf(error, signal))
        const length = { 'content-length': String(body.length) }
        const options = { method: 'POST', agent, signal, headers: { ...headers, ...length } }
        request(url, options, (response) => {
          readAnswer(response)
            .then((answer) => resolve(judge(response, answer)), fail)
            .catch(reject)
        })
          .once('error', fail)
          .end(body)
      }),
    close: () => agent.destroy(),
  }
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    if (bytes < KEPT_BYTES) kept.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return Buffer.concat(kept).subarray(0, KEPT_BYTES)
}

function judge({ statusCode = 0, headers }: IncomingMessage, answer: Buffer): Buffer {
  if (statusCode >= 200 && statusCode < 300) return answer
  throw new DeliveryFault(`the answer was ${statusCode}`, retryAfter(headers['retry-after']))
}

/** Seconds or a date (RFC 9110, 10.2.3), in ms from now. */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function faultOf(error: unknown, signal: AbortSignal): DeliveryFault {
  if (error instanceof DeliveryFault) return error
  if (signal.aborted) return new DeliveryFault('there was no whole answer in time')
  const { code } = error as NodeJS.ErrnoException
  return new DeliveryFault(`the connection failed (${code ?? 'unknown'})`)
}

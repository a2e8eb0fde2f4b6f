import { createHmac } from 'node:crypto'
import type { Secret } from '../../keys/port.ts'
import { cloudEvent } from '../formats/cloud-event.ts'
import type { WebhookOptions } from '../port.ts'
import { ALL_TAKEN, type Batch, type Sink } from '../sink.ts'
import { createPoster } from './post.ts'

const MAX_CHARS = 1024 * 1024
const PREFIX = 'whsec_'

/** Posts CloudEvents: one in structured mode, or many in batched mode (CloudEvents HTTP binding 1.0.2). */
export function createWebhook(options: WebhookOptions, version: string): Sink {
  const { url, secret, authorization, format, batch, deadlineMs } = options
  const poster = createPoster(url)
  const single = batch === 1
  const bodyOf = ({ items }: Batch): Buffer => {
    const events = items.map((item) => cloudEvent(item, { format, version }))
    return Buffer.from(single ? (events[0] ?? '') : `[${events.join(',')}]`)
  }
  const type = `application/cloudevents${single ? '' : '-batch'}+json; charset=utf-8`
  return {
    bounds: { items: batch, chars: MAX_CHARS, lingerMs: 0 },
    deadlineMs,
    async deliver(parcel, signal) {
      const body = bodyOf(parcel)
      const headers = {
        'content-type': type,
        ...(authorization && { authorization: authorization.reveal() }),
        ...signed(parcel.key, body, secret),
      }
      await poster.post({ headers, body }, signal)
      return ALL_TAKEN
    },
    close: () => poster.close(),
  }
}

/** The three headers of Standard Webhooks; the id is the same at each try, by which a receiver knows it again. */
function signed(
  id: string,
  body: Buffer,
  secret: Secret | undefined,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return named
  const hmac = createHmac('sha256', keyOf(secret.reveal()))
  const signature = hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')
  return { ...named, 'webhook-signature': `v1,${signature}` }
}

/** A secret in the scheme's own form is base64 behind `whsec_`; any other text is the key as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret)
}

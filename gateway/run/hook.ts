import { envelopeOfForm } from '../../catalog/index.ts'
import { isMembers } from '../batch/calls.ts'
import type { HolderDoor } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal, type Refusal } from '../refusal.ts'
import { getAllHeaders, getHeader } from '../wire/headers.ts'
import { doorPath } from './address.ts'
import { readJson } from './body.ts'
import { methodNotTaken, ofEnvelope } from './call.ts'
import { closedDoor } from './closed.ts'
import { knockOfCall } from './knock.ts'

/** Fields in which senders of webhooks name a delivery, the same one whenever they send it again. */
const DELIVERY_FIELDS = ['idempotency-key', 'webhook-id'] as const

/** Takes a webhook, where the configuration opens the door: the JSON object that is posted is the arguments of the tool. */
export const takeHook: HolderDoor = async (knock, around) => {
  if (!around.config.doors.webhook) throw closedDoor('webhook')
  if (knock.method !== 'POST') throw methodNotTaken(knock.method, 'POST')
  const { rest: tool = '', query } = doorPath(knock.path)
  const [stranger] = Object.keys(query)
  if (stranger !== undefined) throw strange(stranger)
  checkType(knock)
  const args = await readJson(knock, around.limits)
  if (!isMembers(args))
    throw refusal('malformed_request', 'body', {
      got: 'JSON that is no object',
      repair: 'post a JSON object: its members are the arguments',
    })
  const key = deliveryOf(knock)
  const read = envelopeOfForm({
    tool,
    args,
    ...(key !== undefined && { control: { idempotency_key: key } }),
  })
  if (!read.ok) throw refusalOfProblems(read.problems)
  return around.exchange(knockOfCall(knock, ofEnvelope(read.envelope, around), around))
}

function strange(name: string): Refusal {
  return refusal('unknown_field', name.slice(0, 80), {
    got: 'a parameter of the address',
    repair: 'leave it out: the body is all that a webhook says',
  })
}

function checkType({ headers }: Knock): void {
  const type = getHeader(headers, 'content-type') ?? ''
  if (/^application\/(?:[\w.+-]+\+)?json(?:\s*;|\s*$)/i.test(type)) return
  throw refusal('not_supported', 'content-type', {
    got: type === '' ? 'a body of no type' : `\`${type.slice(0, 128)}\``,
    repair: 'post JSON with `content-type: application/json`',
  })
}

/** The name of the delivery; undefined where it has none. */
function deliveryOf({ headers }: Knock): string | undefined {
  const values = DELIVERY_FIELDS.flatMap((name) => getAllHeaders(headers, name))
  const [key, ...others] = new Set(values)
  if (others.length === 0) return key
  throw refusal('malformed_request', 'idempotency-key', {
    got: `${others.length + 1} names of one delivery`,
    repair: `send one of ${DELIVERY_FIELDS.join(', ')}`,
  })
}

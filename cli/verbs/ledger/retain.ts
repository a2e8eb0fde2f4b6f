import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { postToOwner } from '../../owner-door.ts'
import { openExistingPlace } from '../../place.ts'
import { timeOf } from '../../receipt-query.ts'
import { defineVerb } from '../../verb.ts'
import { runningGateway } from '../../../sidecar/join.ts'
import type { Offline } from '../../../gateway/offline.ts'

interface Retained {
  readonly before: string
  readonly erased: number
  readonly bytes: number
}

/** By the gateway that runs on this state, else by this process, which then owns the log for that time. */
async function retained(place: Offline, before: string): Promise<Retained> {
  const running = await runningGateway(place)
  const key = await place.ownerKey()
  if (running === undefined || key === undefined) {
    const { bodies, bytes } = await place.eraseBodies(Date.parse(before)).catch(asFault)
    return { before, erased: bodies, bytes }
  }
  const { status, body } = await postToOwner({ ...running, key }, '/api/ledger/retain', { before })
  if (status === 200) return body as unknown as Retained
  throw new Fault(EXIT.no, `ledger retain: ${String(body['error'])}`)
}

/** The log may have another owner, or no room. */
function asFault(error: unknown): never {
  throw new Fault(EXIT.no, error instanceof Error ? error.message : String(error))
}

/** Erases kept bodies that no exchange had for a time. */
export const retain = defineVerb({
  options: {
    ...PLACE,
    'older-than': {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'erase what no exchange had since: a duration back from now (12h, 30d) or a date',
    },
    ...JSON_OUTPUT,
  },
  examples: [['--older-than 30d', 'erase the bodies of older exchanges; their receipts stay']],
  async run(values, terminal) {
    const before = timeOf('older-than', values['older-than'], Date.now())
    if (Date.parse(before) > Date.now())
      throw new Fault(
        EXIT.usage,
        `older-than: got \`${values['older-than']}\``,
        'write a duration such as 30d, or a date that has passed',
      )
    const place = await openExistingPlace(values, terminal)
    const done = await retained(place, before)
    if (values.json) terminal.out.line(JSON.stringify(done))
    else
      terminal.out.line(
        `${done.erased} bodies erased, ${done.bytes} bytes, none used since ${done.before}`,
      )
    return EXIT.ok
  },
})

import {
  CREATE,
  DELETE,
  millis,
  OTHER,
  UPDATE,
  type Activity,
  type Particular,
} from './ocsf-parts.ts'
import { textOf, type Fields } from './fields.ts'

/** What the last word of an event's name says it did. */
const ACTIVITIES = new Map<unknown, Activity>(
  Object.entries({
    minted: CREATE,
    created: CREATE,
    narrowed: CREATE,
    revoked: DELETE,
    erased: DELETE,
    leashed: UPDATE,
    set: UPDATE,
    loaded: UPDATE,
  }),
)

/** The attributes of an event: a call of the gateway's own doors, by the one who did it. */
export function ocsfEvent(fields: Fields): Particular {
  const event = textOf(fields['event']) ?? 'unknown'
  const actor = textOf(fields['actor']) ?? 'unknown'
  return {
    activity: ACTIVITIES.get(event.split('_').at(-1)) ?? OTHER,
    time: millis(fields['at']) ?? 0,
    severity_id: 1,
    severity: 'Informational',
    status_id: 1,
    status: 'Success',
    action_id: 1,
    action: 'Allowed',
    actor: { user: { name: actor } },
    api: { operation: event, service: { name: 'narrowgate' } },
    src_endpoint: { name: actor },
    resources: [{ name: textOf(fields['subject']), type: event.split('_')[0] }],
  }
}

import type { FeedItem } from '../../ledger/port.ts'
import type { Fields } from './fields.ts'
import { ocsfEvent } from './ocsf-event.ts'
import { ocsfReceipt } from './ocsf-receipt.ts'

/** An item as an event of the class API Activity (OCSF 1.7, class 6003). The whole record is in `unmapped`. */
export function ocsfOf(item: FeedItem, fields: Fields, version: string): object {
  const { activity, time, ...own } =
    item.kind === 'receipt' ? ocsfReceipt(fields) : ocsfEvent(fields)
  const [activityId, activityName] = activity
  return {
    class_uid: 6003,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: activityId,
    activity_name: activityName,
    type_uid: 600_300 + activityId,
    type_name: `API Activity: ${activityName}`,
    time,
    metadata: {
      version: '1.7.0',
      profiles: ['security_control'],
      uid: item.id,
      sequence: item.position,
      log_name: 'ledger',
      product: { name: 'Narrowgate', vendor_name: 'Narrowgate', version },
    },
    ...own,
    unmapped: { [item.kind]: fields },
  }
}

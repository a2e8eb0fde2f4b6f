import type { FeedItem } from '../../ledger/port.ts'
import { fieldsOf, textOf, timeOf } from './fields.ts'
import { recordText, type Writing } from './record.ts'

const TYPES = { receipt: 'dev.narrowgate.receipt', event: 'dev.narrowgate.event' } as const
const OCSF_TYPE = 'dev.narrowgate.ocsf'
const POSITION_DIGITS = 16

/**
 * An item as a CloudEvent 1.0 in its JSON form. Bodies are not in it: the receipt names their hashes, and `dataref` is where
 * the owner door has the receipt.
 */
export function cloudEvent(item: FeedItem, writing: Writing): string {
  const fields = fieldsOf(item)
  const receipt = item.kind === 'receipt'
  const subject = textOf(receipt ? fields['id'] : fields['subject'])
  const attributes = {
    specversion: '1.0',
    id: item.id,
    source: `/ledger/${item.id.slice(0, item.id.lastIndexOf(':'))}`,
    type: writing.format === 'ocsf' ? OCSF_TYPE : TYPES[item.kind],
    time: timeOf(fields),
    subject,
    // Its extension "sequence" is compared as text.
    sequence: String(item.position).padStart(POSITION_DIGITS, '0'),
    dataref: receipt && subject !== undefined ? `/ledger/exchanges/${subject}.json` : undefined,
    datacontenttype: 'application/json',
  }
  // The record is put in as the text that it is.
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${recordText(item, writing)}}`
}

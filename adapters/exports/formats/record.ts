import type { FeedItem } from '../../ledger/port.ts'
import type { RecordFormat } from '../port.ts'
import { fieldsOf } from './fields.ts'
import { ocsfOf } from './ocsf.ts'

/** What an export's records are written by. */
export interface Writing {
  readonly format: RecordFormat
  /** The program's version. */
  readonly version: string
}

/** An item's record as JSON text, in a format. */
export function recordText(item: FeedItem, { format, version }: Writing): string {
  return format === 'json' ? item.json : JSON.stringify(ocsfOf(item, fieldsOf(item), version))
}

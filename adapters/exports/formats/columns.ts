import type { FeedItem } from '../../ledger/port.ts'
import { fieldsOf, membersOf, numberOf, textOf, timeOf, urlOf, type Fields } from './fields.ts'

export type ColumnValue = string | number | bigint | Date | undefined

/** A column of tables; the types are those of Parquet. */
export interface Column {
  readonly name: string
  readonly type: 'STRING' | 'INT64' | 'TIMESTAMP'
  readonly read: (item: FeedItem, fields: Fields) => ColumnValue
}

const text = (name: string, key = name): Column => ({
  name,
  type: 'STRING',
  read: (_item, fields) => textOf(fields[key]),
})

const count = (name: string, value: (fields: Fields) => unknown): Column => ({
  name,
  type: 'INT64',
  read(_item, fields) {
    const number = numberOf(value(fields))
    return number === undefined ? undefined : BigInt(Math.round(number))
  },
})

const time = (name: string, value: (fields: Fields) => unknown): Column => ({
  name,
  type: 'TIMESTAMP',
  read(_item, fields) {
    const instant = textOf(value(fields))
    return instant === undefined ? undefined : new Date(instant)
  },
})

const upstream = (name: string, read: (upstream: Fields) => string | undefined): Column => ({
  name,
  type: 'STRING',
  read: (_item, fields) => read(membersOf(fields['upstream'])),
})

/** The columns of tables (Parquet, CSV); whatever has none is in `record`, the whole as JSON. */
export const COLUMNS: readonly Column[] = [
  { name: 'position', type: 'INT64', read: ({ position }) => BigInt(position) },
  { name: 'uid', type: 'STRING', read: ({ id }) => id },
  { name: 'kind', type: 'STRING', read: ({ kind }) => kind },
  time('time', timeOf),
  text('id'),
  time('opened', ({ opened }) => opened),
  time('closed', ({ closed }) => closed),
  text('origin'),
  text('door'),
  text('peer'),
  text('task'),
  text('grant'),
  text('link'),
  text('person'),
  text('keys'),
  text('tool'),
  upstream('method', ({ method }) => textOf(method)),
  upstream('url', ({ url }) => textOf(url)),
  upstream('host', ({ url }) => urlOf(url)?.hostname),
  text('address'),
  text('outcome'),
  {
    name: 'ran',
    type: 'STRING',
    read: (_item, { ran }) => textOf(ran) ?? JSON.stringify(ran),
  },
  text('code'),
  count('status', ({ status }) => status),
  count('request_bytes', ({ request }) => membersOf(request)['bytes']),
  count('response_bytes', ({ response }) => membersOf(response)['bytes']),
  text('event'),
  text('subject'),
  text('actor'),
  { name: 'record', type: 'STRING', read: ({ json }) => json },
]

/** The values of an item's row, in the order of the columns. */
export function rowOf(item: FeedItem): readonly ColumnValue[] {
  const fields = fieldsOf(item)
  return COLUMNS.map(({ read }) => read(item, fields))
}

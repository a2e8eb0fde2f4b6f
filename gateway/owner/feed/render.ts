import type { FeedItem } from '../../../adapters/ledger/port.ts'
import type { FeedQuery } from './query.ts'

/** How each form writes a page; an empty page keeps an event stream alive. */
const FORMS: Readonly<Record<FeedQuery['form'], (items: readonly FeedItem[]) => string>> = {
  ndjson: (items) => items.map((item) => `${itemLine(item)}\n`).join(''),
  events: (items) => (items.length === 0 ? ': nothing new\n\n' : items.map(eventOf).join('')),
}

export const MEDIA_TYPES: Readonly<Record<FeedQuery['form'], string>> = {
  ndjson: 'application/x-ndjson',
  events: 'text/event-stream',
}

/** Writes pages in a form; `begin` is called when somebody reads. */
export async function* rendered(
  pages: AsyncIterable<readonly FeedItem[]>,
  form: FeedQuery['form'],
  begin: () => void,
): AsyncGenerator<string, void> {
  begin()
  for await (const items of pages) {
    const text = FORMS[form](items)
    if (text !== '') yield text
  }
}

/** An item as one line of JSON. The record is put in as the text that it is. */
function itemLine({ position, id, kind, json }: FeedItem): string {
  return `{"position":${position},"id":${JSON.stringify(id)},"kind":"${kind}","record":${json}}`
}

function eventOf(item: FeedItem): string {
  return `id: ${item.position}\nevent: ${item.kind}\ndata: ${itemLine(item)}\n\n`
}

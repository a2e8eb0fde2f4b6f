import type { FeedItem } from '../../ledger/port.ts'

/** A receipt or event, read again from its text. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf({ json }: Pick<FeedItem, 'json'>): Fields {
  return JSON.parse(json) as Fields
}

/** When it happened: an exchange when it was closed, else when it was opened. RFC 3339. */
export function timeOf({ closed, opened, at }: Fields): string | undefined {
  return [closed, opened, at].find((time): time is string => typeof time === 'string')
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The members of an object; none where it is something else. */
export function membersOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export function urlOf(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
}

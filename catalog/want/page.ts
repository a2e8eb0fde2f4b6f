import { utf8 } from '../text.ts'
import type { Page, Want } from './types.ts'

/** Makes cursors opaque and unforgeable; the key is the gateway's. */
export interface Cursors {
  sign(text: string): string
  /** The text that was signed, or undefined where the cursor was not made by `sign`. */
  check(cursor: string): string | undefined
}

/** The rows of one page by position: behind filter and order. */
export interface PageWindow {
  readonly offset: number
  readonly limit: number
}

/** The cursors that an answer carries. */
export interface PageCursors {
  /** Of this page. */
  readonly cursor: string
  /** Of the next one; null at the end. */
  readonly next: string | null
}

const DEFAULT_LIMIT = 100

/** Which rows a page means; undefined where its cursor is not one for this very query. */
export function pageWindow(page: Page, want: Want, cursors: Cursors): PageWindow | undefined {
  const limit = page.limit ?? DEFAULT_LIMIT
  if (page.cursor === undefined) return { offset: 0, limit }
  const [offset, query] = cursors.check(page.cursor)?.split(' ') ?? []
  if (offset === undefined || query !== fingerprintOf(want)) return undefined
  return { offset: Number(offset), limit }
}

/** The cursors of a page, where `more` says whether rows follow it. */
export function pageCursors(
  window: PageWindow,
  more: boolean,
  options: { readonly want: Want; readonly cursors: Cursors },
): PageCursors {
  const cursorAt = (offset: number) =>
    options.cursors.sign(`${offset} ${fingerprintOf(options.want)}`)
  return {
    cursor: cursorAt(window.offset),
    next: more ? cursorAt(window.offset + window.limit) : null,
  }
}

/** A position means nothing under another filter or order. */
function fingerprintOf({ where, order }: Want): string {
  return fingerprint([where ?? null, order ?? null])
}

/** Tells queries apart (FNV-1a, 32 bits) by their parts. */
export function fingerprint(parts: readonly unknown[]): string {
  let hash = 0x811c9dc5
  for (const byte of utf8(JSON.stringify(parts))) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Number and caption of an activity of the class. */
export type Activity = readonly [id: number, name: string]

export const CREATE: Activity = [1, 'Create']
export const READ: Activity = [2, 'Read']
export const UPDATE: Activity = [3, 'Update']
export const DELETE: Activity = [4, 'Delete']
export const OTHER: Activity = [99, 'Other']

/** What is particular to a kind of record; `time` in ms since the epoch. */
export interface Particular {
  readonly activity: Activity
  readonly time: number
  readonly [attribute: string]: unknown
}

/** Time of an RFC 3339 text, in ms since the epoch; undefined where it is none. */
export function millis(text: unknown): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

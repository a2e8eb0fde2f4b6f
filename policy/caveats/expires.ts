import type { Axis } from '../axis.ts'
import { NOW } from '../cedar/attributes.ts'

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

/** Until when the token is good; judged at every call, and on whatever is left open. */
export const expires: Axis = {
  name: 'expires',
  ops: ['<'],
  value: 'YYYY-MM-DDTHH:MM:SSZ',
  says: 'the gateway’s clock is before that time',
  example: 'expires < 2026-10-10T00:00:00Z',
  read({ value }) {
    const at = parseTime(value)
    if (at === undefined) return `\`${value}\` is no real time of the form YYYY-MM-DDTHH:MM:SSZ`
    return {
      words: `only before ${value.replace('T', ' ').replace('Z', ' UTC')}`,
      refuses({ now }) {
        if (now < at) return undefined
        return { code: 'expired', got: timeText(now), repair: 'ask for a token that expires later' }
      },
      cedar: {
        attributes: [NOW],
        condition: (names) => `${names.has(NOW.key)} && ${names.at(NOW.key)} < ${at}`,
      },
      facts: { expires: at },
    }
  },
}

/** Milliseconds since the epoch. Days and hours that do not exist come out of `Date` changed. */
function parseTime(text: string): number | undefined {
  if (!FORM.test(text)) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  return new Date(at).toISOString() === text.replace('Z', '.000Z') ? at : undefined
}

function timeText(now: number): string {
  const date = new Date(now)
  return Number.isNaN(date.getTime()) ? String(now) : date.toISOString()
}

import type { QueryArgs } from './wire/query.ts'

/** A call as it was written in a text: the tool, and its arguments as texts. */
export interface TextCall {
  readonly tool: string
  readonly texts: QueryArgs
}

/** What was written is no call: why, for people. */
export interface NoCall {
  readonly fault: string
}

const NAME = '[A-Z][A-Z0-9_]{0,127}'
const KEY = '[^\\s="\'<>/]+'
const LINE = new RegExp(
  `^\\s*(${NAME})((?:\\s+${KEY}=(?:"(?:[^"\\\\]|\\\\.)*"|[^\\s"]+))*)\\s*$`,
  's',
)
const LINE_PAIR = new RegExp(`\\s+(${KEY})=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s"]+))`, 'gs')
const TAG = new RegExp(`<call((?:\\s+${KEY}=(?:"[^"<]*"|'[^'<]*'))*)\\s*/?>`, 'g')
const TAG_PAIR = new RegExp(`\\s+(${KEY})=(?:"([^"<]*)"|'([^'<]*)')`, 'g')

/**
 * Reads a call from a text: a line `NAME key="value" other=word`, whose quoted values have the escapes of JSON, or the one tag
 * `<call tool="NAME" key="value"/>` that stands anywhere in it, whose values have the entities of XML.
 */
export function callOfText(text: string): TextCall | NoCall {
  const tags = [...text.matchAll(TAG)]
  if (tags.length > 1) return { fault: `${tags.length} calls in one text` }
  const [tag] = tags
  if (tag !== undefined) return ofTag(tag[1] ?? '')
  const [, tool, rest = ''] = LINE.exec(text) ?? []
  if (tool === undefined) return { fault: 'a text without a call' }
  const pairs: (readonly [string, string])[] = []
  for (const [, key = '', quoted, bare = ''] of rest.matchAll(LINE_PAIR)) {
    const value = quoted === undefined ? bare : unquoted(quoted)
    if (value === undefined)
      return { fault: `a value of \`${key}\` with an escape that JSON has not` }
    pairs.push([key, value])
  }
  return { tool, texts: gathered(pairs) }
}

/** Line breaks may stand in quotes as they are. */
function unquoted(quoted: string): string | undefined {
  const spelled = quoted.replaceAll(
    /[\u0000-\u001f]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  try {
    return JSON.parse(`"${spelled}"`) as string
  } catch {
    return undefined
  }
}

function ofTag(written: string): TextCall | NoCall {
  const pairs = [...written.matchAll(TAG_PAIR)].map(
    ([, key = '', double, single = '']) => [key, unescaped(double ?? single)] as const,
  )
  const [tool, ...more] = pairs.filter(([key]) => key === 'tool')
  if (tool === undefined || more.length > 0) return { fault: 'a tag that does not name one tool' }
  return { tool: tool[1], texts: gathered(pairs.filter(([key]) => key !== 'tool')) }
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (all, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? 'x', 16) : Number(decimal)
      if (Number.isNaN(code)) return ENTITIES[name as string] ?? (all as string)
      return code <= 0x10ffff ? String.fromCodePoint(code) : (all as string)
    },
  )
}

/** A name that is written several times has its values in order. */
function gathered(pairs: readonly (readonly [string, string])[]): QueryArgs {
  const names = [...new Set(pairs.map(([key]) => key))]
  return Object.fromEntries(
    names.map((name) => {
      const values = pairs.filter(([key]) => key === name).map(([, value]) => value)
      return [name, values.length > 1 ? values : values[0]!]
    }),
  )
}

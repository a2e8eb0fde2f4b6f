import { textOf } from '../text.ts'

/** A request body read for its arguments, or why it cannot be judged. */
export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a JSON request body whose bytes will be sent on unchanged. What JSON leaves open is refused, since the
 * upstream might read it in another way than the gateway: bad UTF-8 and a member name that stands twice in one
 * object (RFC 8259, section 4).
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody {
  const text = utf8Text(bytes)
  if (text === undefined) return { ok: false, reason: 'not valid UTF-8' }
  const value = parsed(text)
  if (value === undefined) return { ok: false, reason: 'not valid JSON' }
  const twice = duplicateName(text)
  if (twice !== undefined) return { ok: false, reason: `member ${twice} stands twice` }
  return { ok: true, value }
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return textOf(bytes)
  } catch {
    return undefined
  }
}

/** The value, or undefined (which no JSON text has) where the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first member name that an object repeats, as it is spelled; `text` is known to be valid JSON. */
function duplicateName(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let at = 0
  while (at < text.length) {
    const char = text[at]
    if (char === '{') open.push(new Set())
    else if (char === '[') open.push(undefined)
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = endOfString(text, at)
      const names = open[open.length - 1]
      if (names !== undefined && followedByColon(text, end)) {
        const spelled = text.slice(at, end)
        const name = JSON.parse(spelled) as string
        if (names.has(name)) return spelled
        names.add(name)
      }
      at = end
      continue
    }
    at += 1
  }
  return undefined
}

/** Offset behind the closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function followedByColon(text: string, at: number): boolean {
  let next = at
  while (' \t\n\r'.includes(text[next] ?? 'x')) next += 1
  return text[next] === ':'
}

import type { MessageStep } from './websocket-rewriter.ts'

/** What a text of the client's is to be looked through for. */
export interface TextKeys {
  /** Placeholders and the keys that take their places. */
  readonly keys: ReadonlyMap<string, string>
  /** Placeholders that may not be there, and the error that says so. */
  readonly foreign: ReadonlyMap<string, () => Error>
}

/**
 * Puts keys into one text as it passes, wherever it is split. It holds back no more than a tail that begins a
 * placeholder.
 */
export function createTextKeys({ keys, foreign }: TextKeys): MessageStep {
  const texts = [...keys.keys(), ...foreign.keys()]
  const any = new RegExp(texts.map((text) => text.replaceAll(/\W/g, '\\$&')).join('|'), 'g')
  let held = ''
  const put = (placeholder: string): string => {
    const key = keys.get(placeholder)
    // One text may stand for the keys of several hosts.
    if (key === undefined)
      throw foreign.get(placeholder)?.() ?? new Error('found what none looked for')
    return key
  }
  return {
    push(chunk) {
      // Placeholders and keys are ASCII; the bytes of other characters pass as they are.
      const text = held + chunk.toString('latin1')
      let from = 0
      let sent = ''
      for (const { 0: found, index } of text.matchAll(any)) {
        sent += text.slice(from, index) + put(found)
        from = index + found.length
      }
      const rest = text.slice(from)
      const keep = beginningAtEnd(rest, texts)
      held = rest.slice(rest.length - keep)
      return Buffer.from(sent + rest.slice(0, rest.length - keep), 'latin1')
    },
    flush() {
      const rest = Buffer.from(held, 'latin1')
      held = ''
      return rest
    },
  }
}

/** Length of the longest end of the text with which one of the others begins. */
function beginningAtEnd(text: string, others: readonly string[]): number {
  const longest = Math.max(0, ...others.map((other) => other.length - 1))
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length)
    if (others.some((other) => other.startsWith(end))) return length
  }
  return 0
}

/** A piece of a text with inline markup. */
export type Span =
  | { readonly kind: 'text' | 'bold' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

/**
 * Addresses that a link may have: http, https, and those of this very place. A backslash would be a slash to a browser, and
 * what begins with two slashes is another host.
 */
const ADDRESS =
  /^(?:https?:\/\/[^\s\\<>"]+|\/(?![/\\])[^\s\\<>"]*|\.{1,2}\/[^\s\\<>"]*|#[^\s\\<>"]*)$/i

/** An escaped sign, code, bold, or a link; whatever is none of them is text. */
const MARKUP = /\\([\\`*[\]])|`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\(([^()\s]+)\)/g

/** Reads inline markup: `**bold**`, `` `code` ``, `[text](address)`, and `\` before a sign that is meant literally. */
export function inlineSpans(source: string): readonly Span[] {
  const spans: Span[] = []
  let from = 0
  for (const match of source.matchAll(MARKUP)) {
    add(spans, { kind: 'text', text: source.slice(from, match.index) })
    add(spans, spanOf(match))
    from = match.index + match[0].length
  }
  add(spans, { kind: 'text', text: source.slice(from) })
  return spans
}

function spanOf([whole, escaped, code, bold, text, href]: RegExpMatchArray): Span {
  if (escaped !== undefined) return { kind: 'text', text: escaped }
  if (code !== undefined) return { kind: 'code', text: code }
  if (bold !== undefined) return { kind: 'bold', text: bold }
  if (text !== undefined && href !== undefined && ADDRESS.test(href))
    return { kind: 'link', text, href }
  return { kind: 'text', text: whole }
}

/** Texts that stand together are one. */
function add(spans: Span[], span: Span): void {
  const last = spans.at(-1)
  if (span.text === '') return
  if (span.kind === 'text' && last?.kind === 'text')
    spans[spans.length - 1] = { kind: 'text', text: last.text + span.text }
  else spans.push(span)
}

/** Any text as one line of inline markup that means nothing but itself. */
export function plainInline(text: string): string {
  return oneLine(text).replaceAll(/[\\`*[\]]/g, '\\$&')
}

/** Any text as one line that an article may hold. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|[\ud800-\udfff]/gu, ' ')
}

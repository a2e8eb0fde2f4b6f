/** What a g1 token looks like in running text: three segments, the last one a 43-character signature. */
const TOKEN = /g1\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{43}/g

/** Masks the payload and signature of every token in a text; the length stays the same. */
export function maskTokens(text: string): string {
  if (!text.includes('g1.')) return text
  return text.replace(TOKEN, (token) => 'g1.' + '*'.repeat(token.length - 3))
}

/** A small generator of pseudo-random numbers (mulberry32), so that a failing case can be had again by its seed. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SEEDS = [
  'GET /a/b?c=d HTTP/1.1\r\nHost: api.test\r\nAccept: */*\r\n\r\n',
  'GET http://api.test:8080/a HTTP/1.1\r\nHost: api.test:8080\r\nProxy-Authorization: Basic YTpi\r\n\r\n',
  'POST /v1 HTTP/1.1\r\nHost: api.test\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc',
  'DELETE /x;y=%2F HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\nX-Long: a, b,\tc\r\n\r\n',
]

const SPICES = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\0',
  '\x7f',
  ':',
  ',',
  ';',
  '#',
  '?',
  '/',
  '//',
  '..',
  '%00',
  '\xe9',
  '"',
  '{',
  '@',
  'Host: other.test\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: +3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: upgrade\r\n',
  'Upgrade: h2c\r\n',
  ' HTTP/1.1',
  'HTTP/1.0',
  'GET / HTTP/1.1\r\n',
  'http://',
  'https://a@b/',
]

/** A request with one to four random changes. */
export function mutant(next: () => number, seeds: readonly string[] = SEEDS): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
  let text = pick(seeds)
  for (let changes = 1 + Math.floor(next() * 4); changes > 0; changes -= 1) {
    const at = Math.floor(next() * (text.length + 1))
    const kind = next()
    if (kind < 0.45) text = text.slice(0, at) + pick(SPICES) + text.slice(at)
    else if (kind < 0.65) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(next() * 3))
    else if (kind < 0.85)
      text = text.slice(0, at) + String.fromCharCode(Math.floor(next() * 256)) + text.slice(at + 1)
    else text = text.slice(0, at) + text.slice(Math.max(0, at - 12), at) + text.slice(at)
  }
  return text
}

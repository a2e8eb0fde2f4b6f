import { send } from '../probe.ts'
import type { Broken, Wire } from '../probe.ts'

// An upgrade has no body.
const BODIED: readonly Wire[] = ['absolute', 'mount', 'clear', 'tls12', 'tls13']
const DONE = '0\r\n\r\n'

const chunks = (name: string, body: string): Broken => ({
  name,
  bytes: send('POST', ['Transfer-Encoding: chunked'], body),
  on: BODIED,
})

/** Chunks and trailers that two readers could read differently. */
export const BODIES: readonly Broken[] = [
  chunks('a chunk size with a plus sign', `+2\r\nok\r\n${DONE}`),
  chunks('a chunk size with a minus sign', `-2\r\nok\r\n${DONE}`),
  chunks('a chunk size with 0x', `0x2\r\nok\r\n${DONE}`),
  chunks('a chunk size that is no number', `zz\r\nok\r\n${DONE}`),
  chunks('an empty chunk size', `\r\nok\r\n${DONE}`),
  chunks('a space before a chunk size', ` 2\r\nok\r\n${DONE}`),
  chunks('a space behind a chunk size', `2 \r\nok\r\n${DONE}`),
  chunks('a tab behind a chunk size', `2\t\r\nok\r\n${DONE}`),
  chunks('an underscore in a chunk size', `1_0\r\n0123456789abcdef\r\n${DONE}`),
  chunks('a chunk size past 64 bits', `10000000000000002\r\nok\r\n${DONE}`),
  chunks('a chunk size of forty digits', `${'f'.repeat(40)}\r\nok\r\n${DONE}`),
  chunks('a bare line feed behind a chunk size', `2\nok\r\n${DONE}`),
  chunks('a bare carriage return behind a chunk size', `2\rok\r\n${DONE}`),
  chunks('a NUL behind a chunk size', `2\0\r\nok\r\n${DONE}`),
  chunks('a bare line feed behind a chunk', `2\r\nok\n${DONE}`),
  chunks('a bare carriage return behind a chunk', `2\r\nok\r${DONE}`),
  chunks('nothing behind a chunk', `2\r\nok${DONE}`),
  chunks('a chunk longer than its size', `2\r\nokay\r\n${DONE}`),
  chunks('a bare line feed behind the last size', '0\n\r\n'),
  chunks('a bare line feed at the end', '0\r\n\n'),
  chunks('a bare line feed in a chunk extension', `2;x\nok\r\n${DONE}`),
  chunks('a carriage return in a chunk extension', `2;a\rb\r\nok\r\n${DONE}`),
  chunks('a NUL in a chunk extension', `2;a\0b\r\nok\r\n${DONE}`),
  chunks('a chunk extension without end', `2;${'a'.repeat(40_000)}\r\nok\r\n${DONE}`),
  chunks('a trailer without a colon', '0\r\ngarbage\r\n\r\n'),
  chunks('a trailer with a space before the colon', '0\r\nX-A : 1\r\n\r\n'),
  chunks('a folded trailer', '0\r\nX-A: 1\r\n 2\r\n\r\n'),
  chunks('a bare line feed behind a trailer', '0\r\nX-A: 1\n\r\n'),
  chunks('a NUL in a trailer', '0\r\nX-A: \0\r\n\r\n'),
  chunks('a flood of trailers', `0\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`),
]

import { get, head } from '../probe.ts'
import type { Refused } from '../probe.ts'

const HOST = 'Host: $HOST'
const field = (name: string, ...lines: readonly string[]): Refused => ({
  name,
  bytes: get(...lines),
})
const start = (name: string, first: string): Refused => ({ name, bytes: head(first, HOST) })
const version = (name: string, text: string): Refused =>
  start(`the version ${name}`, `GET $AT/$ID ${text}`)

/** How lines end, and what a field line may hold. */
export const FIELD_LINES: readonly Refused[] = [
  {
    name: 'a bare line feed behind the first line',
    bytes: `GET $AT/$ID HTTP/1.1\n${HOST}\r\n$OWN\r\n`,
  },
  { name: 'bare line feeds alone', bytes: `GET $AT/$ID HTTP/1.1\n${HOST}\n\n` },
  { name: 'a bare line feed behind a field', bytes: get('X-A: 1\nX-B: 2') },
  {
    name: 'a bare line feed at the head’s end',
    bytes: `GET $AT/$ID HTTP/1.1\r\n${HOST}\r\n$OWN\n`,
  },
  {
    name: 'a bare carriage return behind the first line',
    bytes: `GET $AT/$ID HTTP/1.1\r${HOST}\r\n$OWN\r\n`,
  },
  {
    name: 'a bare carriage return at the head’s end',
    bytes: `GET $AT/$ID HTTP/1.1\r\n${HOST}\r\n$OWN\rX`,
  },
  field('a bare carriage return in a value', 'X-A: 1\r2'),
  field('a bare carriage return behind a value', 'X-A: 1\rX-B: 2'),
  field('two carriage returns', 'X-A: 1\r'),
  field('a folded line', 'X-A: 1', ' 2'),
  field('a folded line, by a tab', 'X-A: 1', '\t2'),
  field('an empty folded line', 'X-A: 1', ' '),
  {
    name: 'a fold before the first field',
    bytes: `GET $AT/$ID HTTP/1.1\r\n X-A: 1\r\n${HOST}\r\n$OWN\r\n`,
  },
  field('a line without a colon', 'garbage'),
  field('an empty name', ': 1'),
  field('a space before the colon', 'X-A : 1'),
  field('a tab before the colon', 'X-A\t: 1'),
  field('a space in a name', 'X A: 1'),
  field('a bracket in a name', 'X(A): 1'),
  field('an at sign in a name', 'X@A: 1'),
  field('a quote in a name', '"X-A": 1'),
  field('a slash in a name', 'X/A: 1'),
  field('a byte past ASCII in a name', 'X-\xc3\x84: 1'),
  field('a NUL in a name', 'X\0A: 1'),
  field('a NUL in a value', 'X-A: 1\x002'),
  field('a NUL as a value', 'X-A: \0'),
  field('a control byte in a value', 'X-A: 1\x012'),
  field('a backspace in a value', 'X-A: 1\x082'),
  field('an escape in a value', 'X-A: \x1b[31m'),
  field('a DEL in a value', 'X-A: 1\x7f2'),
  field('a vertical tab in a value', 'X-A: 1\x0b2'),
  field('a form feed in a value', 'X-A: 1\x0c2'),
]

/** The request line. */
export const FIRST_LINES: readonly Refused[] = [
  start('a tab before the target', 'GET\t$AT/$ID HTTP/1.1'),
  start('a tab behind the target', 'GET $AT/$ID\tHTTP/1.1'),
  start('a space before the method', ' GET $AT/$ID HTTP/1.1'),
  start('a space behind the version', 'GET $AT/$ID HTTP/1.1 '),
  start('a fourth word', 'GET $AT/$ID HTTP/1.1 x'),
  start('a space in the target', 'GET $AT/$ID x HTTP/1.1'),
  start('a NUL in the target', 'GET $AT/$ID\0 HTTP/1.1'),
  start('a control byte in the target', 'GET $AT/$ID\x01 HTTP/1.1'),
  start('a DEL in the target', 'GET $AT/$ID\x7f HTTP/1.1'),
  start('a carriage return in the target', 'GET $AT/$ID\rx HTTP/1.1'),
  start('a vertical tab behind the target', 'GET $AT/$ID\x0bHTTP/1.1'),
  start('bytes past ASCII in the target', 'GET $AT/$ID\xc3\xa9 HTTP/1.1'),
  start('no target', 'GET HTTP/1.1'),
  start('no method', '$AT/$ID HTTP/1.1'),
  start('a method in lower case', 'get $AT/$ID HTTP/1.1'),
  start('a method in mixed case', 'Get $AT/$ID HTTP/1.1'),
  start('a method that nobody knows', 'GETT $AT/$ID HTTP/1.1'),
  start('a method with a NUL', 'GE\0T $AT/$ID HTTP/1.1'),
  start('a method with a colon', 'GET: $AT/$ID HTTP/1.1'),
  start('a method with a slash', 'GET/ $AT/$ID HTTP/1.1'),
  { name: 'no version', bytes: `GET $AT/$ID\r\n${HOST}\r\n$OWN\r\n` },
  version('0.9', 'HTTP/0.9'),
  version('1.2', 'HTTP/1.2'),
  version('1.9', 'HTTP/1.9'),
  version('2.0', 'HTTP/2.0'),
  version('3.0', 'HTTP/3.0'),
  version('of two digits', 'HTTP/1.10'),
  version('with a zero before', 'HTTP/01.1'),
  version('without a minor', 'HTTP/1'),
  version('with an empty minor', 'HTTP/1.'),
  version('without a dot', 'HTTP/11'),
  version('with a comma', 'HTTP/1,1'),
  version('with letters behind', 'HTTP/1.1x'),
  version('in lower case', 'http/1.1'),
  version('with a space inside', 'HTTP /1.1'),
  version('with another name', 'HTTPS/1.1'),
  version('of Icecast', 'ICE/1.0'),
  { name: 'the preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { name: 'an answer in place of a request', bytes: head('HTTP/1.1 200 OK', HOST) },
  { name: 'a NUL first', bytes: `\0${get()}` },
  { name: 'no HTTP at all', bytes: 'SSH-2.0-OpenSSH_9.2\r\n' },
]

/** Heads that are too large. */
export const LARGE: readonly Refused[] = [
  {
    name: 'one field of more than the limit',
    bytes: get(`X-A: ${'a'.repeat(66_000)}`),
    status: 431,
    code: 'headers_too_large',
  },
  {
    name: 'a name of more than the limit',
    bytes: get(`${'a'.repeat(66_000)}: 1`),
    status: 431,
    code: 'headers_too_large',
  },
  {
    name: 'many fields of more than the limit',
    bytes: get(...Array.from({ length: 2_000 }, (_, at) => `X-Field-${at}: ${'a'.repeat(30)}`)),
    status: 431,
    code: 'headers_too_large',
  },
]

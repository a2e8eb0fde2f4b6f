import { head, send } from '../probe.ts'
import type { Refused } from '../probe.ts'

const BODY = '0\r\n\r\n'

const coding = (name: string, value: string): Refused => ({
  name: `the coding ${name}`,
  bytes: send('POST', [`Transfer-Encoding:${value}`], BODY),
})

const raw = (name: string, ...fields: readonly string[]): Refused => ({
  name,
  bytes: send('POST', fields, BODY),
})

/** Transfer codings other than one plain `chunked`, and names that only some readers take for that field. */
export const CODINGS: readonly Refused[] = [
  coding('identity', ' identity'),
  coding('gzip', ' gzip'),
  coding('gzip under chunked', ' gzip, chunked'),
  coding('identity under chunked', ' identity, chunked'),
  coding('gzip over chunked', ' chunked, gzip'),
  coding('identity over chunked', ' chunked, identity'),
  coding('chunked twice in a list', ' chunked, chunked'),
  coding('with letters before', ' xchunked'),
  coding('with letters behind', ' chunkedx'),
  coding('with a parameter', ' chunked;q=1'),
  coding('with an empty parameter', ' chunked;'),
  coding('in quotes', ' "chunked"'),
  coding('in single quotes', " 'chunked'"),
  coding('with a comma behind', ' chunked,'),
  coding('with a comma before', ' ,chunked'),
  coding('with a space inside', ' chun ked'),
  coding('with a vertical tab before', ' \x0bchunked'),
  coding('with a vertical tab behind', ' chunked\x0b'),
  coding('with a no-break space before', '\xa0chunked'),
  coding('with a NUL behind', ' chunked\0'),
  coding('with a backspace before', ' \x08chunked'),
  coding('that is empty', ''),
  coding('cow', ' cow'),
  raw('chunked in two lines', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
  raw('chunked behind identity', 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked'),
  raw('identity behind chunked', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
  raw('chunked behind an empty line of it', 'Transfer-Encoding:', 'Transfer-Encoding: chunked'),
  raw('chunked behind one letter', 'Transfer-Encoding: x', 'Transfer-Encoding: chunked'),
  raw('a coding with a space before the colon', 'Transfer-Encoding : chunked'),
  raw('a coding with a tab before the colon', 'Transfer-Encoding\t: chunked'),
  raw('a folded coding', 'Transfer-Encoding:', ' chunked'),
  raw('a folded coding, by a tab', 'Transfer-Encoding:', '\tchunked'),
  raw('a coding behind a bare line feed', 'X-A: y\nTransfer-Encoding: chunked'),
  raw('a coding behind a bare carriage return', 'X-A: y\rTransfer-Encoding: chunked'),
  raw('a coding behind a NUL', 'X-A: y\0Transfer-Encoding: chunked'),
  {
    name: 'chunks over HTTP/1.0',
    bytes: `${head('POST $AT/$ID HTTP/1.0', 'Host: $HOST', 'Transfer-Encoding: chunked')}${BODY}`,
  },
]

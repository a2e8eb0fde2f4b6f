import { send } from '../probe.ts'
import type { Refused } from '../probe.ts'

// Two readers that disagree on where a body ends take its rest for the next request: field.md calls it smuggling.

const CHUNKED = 'Transfer-Encoding: chunked'
const post = (...fields: readonly string[]) => send('POST', fields, '0\r\n\r\n')

const both = (name: string, ...fields: readonly string[]): Refused => ({
  name,
  bytes: post(...fields),
})

const length = (name: string, value: string): Refused => ({
  name: `the length ${name}`,
  bytes: send('POST', [`Content-Length:${value}`], 'x'),
})

/** Lengths that contradict something, or that are no decimal number. */
export const LENGTHS: readonly Refused[] = [
  both('a length before chunks', 'Content-Length: 5', CHUNKED),
  both('a length behind chunks', CHUNKED, 'Content-Length: 5'),
  both('a length of none before chunks', 'Content-Length: 0', CHUNKED),
  both('a length of none behind chunks', CHUNKED, 'Content-Length: 0'),
  both('both framings in lower case', 'content-length: 5', 'transfer-encoding: chunked'),
  both('both framings in odd case', 'cOnTeNt-LeNgTh: 5', 'tRaNsFeR-eNcOdInG: cHuNkEd'),
  both('a length and chunks with a tab behind', 'Content-Length: 5', `${CHUNKED}\t`),
  both('chunks with a tab before and a length', 'Transfer-Encoding:\tchunked', 'Content-Length: 5'),
  both('a length and an unknown coding', 'Content-Length: 5', 'Transfer-Encoding: xchunked'),
  both('a length and the identity coding', 'Content-Length: 5', 'Transfer-Encoding: identity'),
  both('an unknown coding and a length', 'Transfer-Encoding: x', 'Content-Length: 5'),
  both('a length and an empty coding', 'Content-Length: 5', 'Transfer-Encoding:'),
  both('a length between two codings', CHUNKED, 'Content-Length: 5', CHUNKED),
  both('two equal lengths', 'Content-Length: 5', 'Content-Length: 5'),
  both('two lengths, the smaller first', 'Content-Length: 5', 'Content-Length: 6'),
  both('two lengths, the larger first', 'Content-Length: 6', 'Content-Length: 5'),
  both('two lengths far apart', 'Content-Length: 5', 'X-A: 1', 'X-B: 2', 'content-length: 5'),
  both('three lengths', 'Content-Length: 5', 'Content-Length: 5', 'Content-Length: 5'),
  length('as a list of equals', ' 5, 5'),
  length('as a list', ' 5,6'),
  length('with a comma behind', ' 5,'),
  length('with a comma before', ' ,5'),
  length('with a plus sign', ' +5'),
  length('with a minus sign', ' -5'),
  length('in hexadecimal', ' 0x5'),
  length('in hexadecimal letters', ' a'),
  length('with an exponent', ' 1e1'),
  length('with a fraction', ' 5.0'),
  length('with a space inside', ' 5 5'),
  length('with a tab inside', ' 5\t5'),
  length('with an underscore', ' 1_0'),
  length('in quotes', ' "5"'),
  length('with a semicolon', ' 5;'),
  length('that is empty', ''),
  length('that is a space', '  '),
  length('past 64 bits', ' 18446744073709551617'),
  length('of thirty digits', ` ${'9'.repeat(30)}`),
  length('in fullwidth digits', ' \xef\xbc\x95'),
  length('with a no-break space', ' \xa05'),
  length('with a vertical tab', ' \x0b5'),
  length('with a form feed behind', ' 5\x0c'),
  length('with a NUL behind', ' 5\0'),
]

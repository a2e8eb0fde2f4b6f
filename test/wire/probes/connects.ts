import type { Refused } from '../probe.ts'

/** A CONNECT to this target; `$AUTH` is the credential's line. */
const to = (target: string): Refused => ({
  name: `CONNECT ${JSON.stringify(target)}`,
  bytes: `CONNECT ${target} HTTP/1.1\r\nHost: api.test:443\r\n$AUTH\r\n`,
})

const raw = (name: string, ...lines: readonly string[]): Refused => ({
  name,
  bytes: `${lines.map((line) => `${line}\r\n`).join('')}$AUTH\r\n`,
})

const FIRST = 'CONNECT api.test:443 HTTP/1.1'
const HOST = 'Host: api.test:443'
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** Authorities that are none, or that two programs could read as two hosts. Node's `new URL` would repair most. */
export const AUTHORITIES: readonly Refused[] = [
  'api.test',
  'api.test:',
  'api.test:0',
  'api.test:00443',
  'api.test:0443',
  'api.test:+443',
  'api.test:65536',
  'api.test:65979',
  'api.test:99999',
  'api.test:443:443',
  'api.test:443/',
  'api.test:443/x',
  'api.test:443?x',
  'api.test:443#x',
  'api.test:https',
  'http://api.test/',
  'https://api.test:443',
  '//api.test:443',
  'user@api.test:443',
  'user:secret@api.test:443',
  'api.test:443@other.test:443',
  'api.test\\other.test:443',
  '/api.test:443',
  '*',
  ':443',
  '.api.test:443',
  'api..test:443',
  'api.test..:443',
  'api%2etest:443',
  '%61pi.test:443',
  'api.test%00.other.test:443',
  'api,test:443',
  'api test:443',
  '[api.test]:443',
  '[127.0.0.1]:443',
  // IPv6
  '::1:443',
  '[::1',
  '[::1]',
  '[::1]443',
  '[::1]x:443',
  '[::1]:0',
  '[[::1]]:443',
  '[::1%lo]:443',
  '[::1%25lo]:443',
  '[fe80::1%eth0]:443',
  '[:::1]:443',
  '[1::2::3]:443',
  '[::1.2.3]:443',
  '[::1.2.3.256]:443',
  '[::127.1]:443',
  // IPv4 in spellings that a resolver reads and a policy does not
  '2130706433:443',
  '0x7f000001:443',
  '0X7F.0.0.1:443',
  '0x7f.0x0.0x0.0x1:443',
  '017700000001:443',
  '0177.0.0.1:443',
  '0177.0.0.01:443',
  '127.0.0.01:443',
  '127.1:443',
  '127.0.1:443',
  '0:443',
  '0x0:443',
  '256.0.0.1:443',
  '127.0.0.1.1:443',
  '127.0.0.0x1:443',
  // letters that some programs fold into others
  utf8('\u212Aube.test:443'), // KELVIN SIGN
  utf8('\u0130nfo.test:443'), // I WITH DOT ABOVE
  utf8('\u017Fecret.test:443'), // LONG S
  utf8('\uFF41pi.test:443'), // FULLWIDTH A
  utf8('127\u30020\u30020\u30021:443'), // IDEOGRAPHIC FULL STOP
  utf8('127\uFF0E0\uFF0E0\uFF0E1:443'), // FULLWIDTH FULL STOP
  utf8('127\uFF610\uFF610\uFF611:443'), // HALFWIDTH IDEOGRAPHIC FULL STOP
  utf8('\u2460\u2461\u2466.0.0.1:443'), // CIRCLED DIGITS
  utf8('b\u00FCcher.test:443'),
  utf8('\u0430pi.test:443'), // CYRILLIC A
  utf8('api\u00AD.test:443'), // SOFT HYPHEN
  utf8('api\u200D.test:443'), // ZERO WIDTH JOINER
  utf8('api\u200B.test:443'), // ZERO WIDTH SPACE
  utf8('\uFEFFapi.test:443'), // BYTE ORDER MARK
  utf8('api\u2024test:443'), // ONE DOT LEADER
  'api\xe9.test:443',
  'api\x00.test:443',
  'api\x01.test:443',
  'api\x7f.test:443',
  `${'a'.repeat(64)}.test:443`,
  `${'a.'.repeat(127)}test:443`,
].map(to)

/** Heads of CONNECT that break HTTP, or announce a body. */
export const CONNECTS: readonly Refused[] = [
  raw('CONNECT with a length', FIRST, HOST, 'Content-Length: 5'),
  raw('CONNECT with chunks', FIRST, HOST, 'Transfer-Encoding: chunked'),
  raw('CONNECT with both', FIRST, HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  raw('CONNECT with two lengths', FIRST, HOST, 'Content-Length: 0', 'Content-Length: 0'),
  raw('CONNECT with two Hosts', FIRST, HOST, HOST),
  raw('CONNECT without a Host', FIRST),
  raw('CONNECT with a folded Host', FIRST, 'Host:', ' api.test:443'),
  raw('CONNECT over HTTP/2.0', 'CONNECT api.test:443 HTTP/2.0', HOST),
  raw('CONNECT over HTTP/0.9', 'CONNECT api.test:443 HTTP/0.9', HOST),
  raw('CONNECT in lower case', 'connect api.test:443 HTTP/1.1', HOST),
  raw('CONNECT without a target', 'CONNECT HTTP/1.1', HOST),
  raw('CONNECT with a NUL in a field', FIRST, HOST, 'X-A: \0'),
  raw('CONNECT with a space before a colon', FIRST, HOST, 'X-A : 1'),
  raw('CONNECT with a bare line feed', FIRST, `${HOST}\nX-A: 1`),
  raw('CONNECT with a bare carriage return', FIRST, `${HOST}\rX-A: 1`),
]

import t from 'tap'
import { FORMS } from '../../../../policy/cedar/guardrails/forms.ts'

/** Under an attribute: texts and patterns that a value can be or match, and such as none can. */
interface Table {
  readonly holds: readonly string[]
  readonly never: readonly string[]
  readonly matches: readonly string[]
  readonly matchesNever: readonly string[]
}

const label = 'a'.repeat(63)

const TABLES: Readonly<Record<string, Table>> = {
  host: {
    holds: [
      'a',
      'a.test',
      'a-b_c.9x.test',
      'xn--bcher-kva.test',
      `${label}.test`,
      `${label}.${label}.${label}.${'b'.repeat(61)}`,
      '0.0.0.0',
      '9.10.99.100',
      '199.200.249.255',
      '1.test',
      '0x1.test',
      '0xg',
      '::',
      '::1',
      '1::',
      'fe80::1:0:0:2',
      '2001:db8:1:2:3:4:5:6',
      '2001:db8:0:1:0:1:0:1',
      '2001:db8::10:0:1',
      '::ffff:192.0.2.1',
    ],
    never: [
      '',
      'A.test',
      'a..test',
      '.a',
      'a.',
      'a b',
      `a${label}.test`,
      `${label}.${label}.${label}.${'b'.repeat(62)}`,
      'a.test:443',
      'a.1',
      '1',
      '0x1f',
      'a.0x',
      'a.0xf',
      '256.0.0.1',
      '1.2.3.260',
      '1.2.3.300',
      '01.2.3.4',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.4.',
      '[::1]',
      ':',
      'a:b',
      '::G',
      '::A',
      '::01',
      '01::',
      '2001:0db8::1',
      '0:0:0:0:0:0:0:1',
      '0:0:1:2:3:4:5:6',
      '1:0:0:2:3:4:5:6',
      '1:2:3:4:5:6:0:0',
      `${'1:'.repeat(30)}:`,
      '::1%eth0',
    ],
    matches: ['*', 'a*', '*.test', 'a.*.test', '*:*', 'a', '*-_*', '10.*', 'a*b.*c'],
    matchesNever: [
      'A*',
      '*.Test',
      '.a*',
      '*.',
      'a..b*',
      '*..*',
      '*/*',
      'b\u00fc*',
      'A',
      '* *',
      '256.0.0.1',
      'a*b*c.',
    ],
  },
  method: {
    holds: ['GET', 'M-SEARCH', "!#$%&'*+.^_`|~09AZ", 'X'.repeat(64)],
    never: ['', 'get', 'GET ', ' GET', 'G(T', 'X'.repeat(65)],
    matches: ['*', 'G*', '*T', 'P*T', 'GET'],
    matchesNever: ['g*', '*t', 'G *', 'get'],
  },
  scheme: {
    holds: ['http', 'https'],
    never: ['', 'HTTPS', 'ws', 'httpss'],
    matches: ['*', 'http*', '*s', 'h*p', 'http'],
    matchesNever: ['ws*', 'H*', 'x', '*x'],
  },
  way: {
    holds: ['link', 'rest', 'mcp', 'chat', 'proof', 'proxy', 'mount', 'batch'],
    never: ['', 'Proxy', 'proxi'],
    matches: ['prox*', '*', 'b*h'],
    matchesNever: ['prox', 'P*', '*z'],
  },
  path: {
    holds: ['', '/', '/a', '/a/b?c', '/100%', '/a%2', '/..a', '/a..', '/.well-known/x', '/...'],
    never: [
      'a',
      'a/b',
      '//a',
      '/a//b',
      '/a\\b',
      '/%61',
      '/%2F',
      '/a%2fb',
      '/.',
      '/..',
      '/./a',
      '/a/../b',
      '/a/..',
      '/\u0000',
      '/\u001f',
      '/\u007f',
    ],
    matches: ['*', '/a*', '*a', '*/a', '*/.well-known/*', '/a/.*', '/a/..*', '*%', '/', '/a'],
    matchesNever: [
      'a*',
      'a*b*',
      '*//*',
      '*%61',
      '*%2f*',
      '*\\*',
      '*\u0000*',
      '*/../*',
      '*/./*',
      '*/..',
      '*/.',
      'a',
    ],
  },
  paths: {
    holds: ['/', '/a', 'a/b', '/a b'],
    never: ['', '.', '/a/', '//a', '/a/../b', '/./a', '../a', '/a\\b', '/%2e'],
    matches: ['*', '//*', 'a'],
    matchesNever: [],
  },
}

t.strictSame([...FORMS.keys()].toSorted(), Object.keys(TABLES).toSorted())

for (const [name, table] of Object.entries(TABLES)) {
  const form = FORMS.get(name)
  t.test(name, async (t) => {
    t.match(form, { name: /^[a-z ]+$/, repair: /^[a-z]/ })
    for (const text of table.holds) t.equal(form?.holds(text), true, `holds: ${text}`)
    for (const text of table.never) t.equal(form?.holds(text), false, `never: ${text}`)
    for (const pattern of table.matches)
      t.equal(form?.matches(pattern.split('*')), true, `matches: ${pattern}`)
    for (const pattern of table.matchesNever)
      t.equal(form?.matches(pattern.split('*')), false, `matches never: ${pattern}`)
  })
}

t.test('what mends a text is told', async (t) => {
  const told = Object.fromEntries(
    [...FORMS].map(([key, { name, repair }]) => [key, [name, repair]]),
  )
  t.match(told, {
    host: ['host', /^write the canonical host: lower case, .* no brackets$/],
    method: ['method', 'write the method in upper case'],
    scheme: ['scheme', 'use http, https'],
    way: ['way', 'use link, rest, mcp, chat, proof, proxy, mount, batch'],
    path: ['path', /^write the decoded path from its first slash on: .* slashes$/],
    paths: ['canonical path', /^resolve dot segments, .* trailing slashes$/],
  })
})

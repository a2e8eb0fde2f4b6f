import t from 'tap'
import { absoluteTarget, parseQuery } from '../../../catalog/index.ts'

t.test('absolute form is taken apart by hand', async (t) => {
  t.strictSame(absoluteTarget('http://H:8080/a?b'), {
    ok: true,
    scheme: 'http',
    host: 'h',
    port: 8080,
    path: '/a?b',
  })
  t.strictSame(absoluteTarget('HTTPS://h'), {
    ok: true,
    scheme: 'https',
    host: 'h',
    port: 443,
    path: '/',
  })
  t.match(absoluteTarget('http://h?x'), { path: '/?x' })
  t.match(absoluteTarget('http://[::1]/'), { host: '::1', port: 80 })
  for (const text of [
    'ftp://h/',
    'http:/h',
    'http:///',
    'h:80',
    '/a',
    'http://u:p@h/',
    'http://h:0/',
    'http://h/../',
    'http://h//a',
    'http://h/#',
    ' http://h/',
    'http://h\\@e/',
    'http://h /',
  ]) {
    t.equal(absoluteTarget(text).ok, false, text)
  }
})

t.test('a query is read as forms write it', async (t) => {
  const args = parseQuery('a=1&b=x+y%26&a=2&c&&=e&%zz=%&d=p;q&__proto__=1')
  t.strictSame(Object.entries(args), [
    ['a', ['1', '2']],
    ['b', 'x y&'],
    ['c', ''],
    ['', 'e'],
    ['%zz', '%'],
    ['d', 'p;q'],
    ['__proto__', '1'],
  ])
})

import t from 'tap'
import { canonicalPath, plainPath } from '../../../catalog/index.ts'

function plain(target: string): string {
  const read = canonicalPath(target)
  if (!read.ok) throw new Error(read.reason)
  return plainPath(read)
}

t.test('all spellings of a path are one text', async (t) => {
  const spellings = ['/admin/x', '/%61dmin/x', '/%61%64min%2fx', '/admin%2Fx', '/%2561dmin/x']
  for (const spelling of [
    ...spellings,
    '/%252561dmin/x',
    '/admin//x',
    '/admin/x?a=%2F',
    '/admin%2F/x',
  ])
    t.equal(plain(spelling), '/admin/x', spelling)
})

t.test('what is another path stays another', async (t) => {
  t.equal(plain('/'), '/')
  t.equal(plain('/a/'), '/a/')
  t.equal(plain('/a%20b/%C3%A9'), '/a b/é')
  t.equal(plain('/100%25'), '/100%')
  t.equal(plain('/A'), '/A')
})

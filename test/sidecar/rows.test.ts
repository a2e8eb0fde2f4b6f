import t from 'tap'
import type { Tool } from '../../catalog/index.ts'
import { pathBearingRows } from '../../sidecar/rows.ts'

function row(name: string, args: readonly string[], paths?: Tool['paths']): Tool {
  return {
    name,
    summary: '',
    scheme: 'https',
    host: 'a.test',
    method: 'POST',
    path: '/',
    args: { properties: Object.fromEntries(args.map((arg) => [arg, { in: 'body' as const }])) },
    ...(paths === undefined ? {} : { paths }),
  }
}

const CATALOG = [
  row('FILES_READ', ['path']),
  row('FILES_FIND', ['query', 'folder']),
  row('MAIL_SEND', ['to', 'text']),
  row('STORE_PUT', ['key'], { mark: [], unmark: ['key'] }),
  row('DOCS_OPEN', ['place'], { mark: ['place'], unmark: [] }),
]

t.strictSame(pathBearingRows(CATALOG, undefined), ['FILES_READ', 'FILES_FIND', 'DOCS_OPEN'])
t.strictSame(
  pathBearingRows(CATALOG, ['FILES_*,MAIL_SEND']),
  ['FILES_READ', 'FILES_FIND'],
  'granted rows only',
)
t.strictSame(pathBearingRows(CATALOG, ['*_READ']), ['FILES_READ'])
t.strictSame(pathBearingRows(CATALOG, ['HTTP_*']), [])
t.strictSame(pathBearingRows(CATALOG, ['FILES.READ']), [], 'a dot is a dot')

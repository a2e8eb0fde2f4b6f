import { below, isMembers, type Report } from '../check.ts'
import type { Where } from '../want/types.ts'
import type { FieldType, View } from './types.ts'
import { keptText, keptValue, VALUE_REPAIRS } from './values.ts'

type Tests = Readonly<Record<string, unknown>>

/** Reports what cannot be asked, and goes on. */
interface Checking {
  readonly view: View
  readonly report: Report
}

/** A filter with values as back ends keep them; the form of it was checked before. */
export function keptWhere(where: Where, path: string, checking: Checking): Where {
  const entries = Object.entries(where).map(([key, value]) => {
    const at = below(path, key)
    if (key === 'not') return [key, keptWhere(value as Where, at, checking)]
    if (key === 'and' || key === 'or') {
      const parts = value as readonly Where[]
      return [key, parts.map((part, index) => keptWhere(part, `${at}[${index}]`, checking))]
    }
    return [key, keptTests(key, value, { ...checking, path: at })]
  })
  return Object.fromEntries(entries) as Where
}

interface AtField extends Checking {
  readonly path: string
}

function keptTests(name: string, value: unknown, at: AtField): Tests {
  const { view, report, path } = at
  const field = Object.hasOwn(view.fields, name) ? view.fields[name] : undefined
  if (field === undefined) {
    report.unknown(path, name, Object.keys(view.fields))
    return {}
  }
  if (!isMembers(value)) return { eq: keptOne(field.type, value, at) }
  const tests = Object.entries(value).map(([test, wanted]) => {
    const place = { ...at, path: below(path, test) }
    return [test, keptTest(test, wanted, { ...place, type: field.type })]
  })
  return Object.fromEntries(tests) as Tests
}

interface AtTest extends AtField {
  readonly type: FieldType
}

const OF_TEXTS: readonly string[] = ['glob', 'prefix']
const OF_ORDER: readonly string[] = ['lt', 'lte', 'gt', 'gte']

function keptTest(test: string, wanted: unknown, at: AtTest): unknown {
  const { type, report, path } = at
  if (test === 'exists') return wanted
  if (OF_TEXTS.includes(test) && type !== 'text') {
    report.malformed(path, wanted, `use ${test} on texts; this is a ${type}`)
    return ''
  }
  if (OF_ORDER.includes(test) && type === 'flag') {
    report.malformed(path, wanted, 'use eq on flags')
    return 0
  }
  if (test !== 'in') return keptOne(type, wanted, at)
  const list = wanted as readonly unknown[]
  return list.map((one, index) => keptOne(type, one, { ...at, path: `${path}[${index}]` }))
}

function keptOne(type: FieldType, value: unknown, { report, path }: AtField): string | number {
  const kept = keptValue(type, value)
  if (kept !== undefined) return kept
  const repair =
    value === null ? 'use `{"exists": false}` for what a row does not have' : VALUE_REPAIRS[type]
  report.malformed(path, value, repair)
  return keptText('')
}

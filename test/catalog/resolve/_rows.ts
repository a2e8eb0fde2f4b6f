import type { Searchable } from '../../../catalog/resolve/rows.ts'

/** A row as the resolver reads it. */
export function row(name: string, summary = '', more: Partial<Searchable> = {}): Searchable {
  return { name, summary, host: 'api.test', path: '/x', args: { properties: {} }, ...more }
}

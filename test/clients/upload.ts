import type { Test } from 'tap'
import { headerOf } from '../rig/upstreams/journal.ts'
import type { Arrival } from '../rig/upstreams/journal.ts'

/** Asserts that an upload waited for leave to begin, and that it came in the coding with a trailer of its own. */
export function checkUpload(
  t: Test,
  arrivals: readonly Arrival[],
  fields: Readonly<Record<string, string>>,
): void {
  const upload = arrivals.find(({ method }) => method === 'PUT')
  t.ok(upload, 'the upload reaches the upstream')
  if (upload === undefined) return
  for (const [name, value] of Object.entries(fields)) {
    t.strictSame(headerOf(upload, name), [value], `with ${name}: ${value}`)
  }
}

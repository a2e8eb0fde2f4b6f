import type { Report } from './check.ts'
import { readNumber } from './numbers.ts'
import type { ArgSchema } from './tool.ts'

const INTEGER = /^(?:0|-?[1-9][0-9]*)$/

type Text = string | readonly string[]

/**
 * Turns a query or path parameter into the type that its row gives it. Without a type it stays what
 * it is. A text that is not of the type is a problem: it is never guessed at.
 */
export function coerce(
  got: Text,
  schema: ArgSchema | undefined,
  { path, report }: { readonly path: string; readonly report: Report },
): unknown {
  if (schema?.type === undefined) return got
  if (schema.type === 'array') return typeof got === 'string' ? [got] : got
  const value = typeof got === 'string' ? READERS[schema.type](got) : undefined
  if (value === undefined) report.malformed(path, got, `write one ${schema.type}`)
  return value
}

const READERS = {
  string: (text: string) => text,
  integer: (text: string) => (INTEGER.test(text) ? readNumber(text) : undefined),
  number: readNumber,
  boolean: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
  object: () => undefined,
}

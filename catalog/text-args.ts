import { createReport, type FieldProblem, type Report } from './check.ts'
import { coerce } from './coerce.ts'
import { parseJsonBody } from './json-body.ts'
import { utf8 } from './text.ts'
import type { ArgSchema, Tool } from './tool.ts'
import type { QueryArgs } from './wire/query.ts'

/** Arguments that were read, or all that is wrong with them. */
export type ReadArgs =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/**
 * Arguments that were all written as texts: in a link, on a command line. The row says of what type each is; objects, and
 * what has no type, may be written as JSON.
 */
export function argsOfTexts(tool: Tool, texts: QueryArgs): ReadArgs {
  const report = createReport()
  const { properties } = tool.args
  const args = Object.entries(texts).map(([name, text]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, valueOf(text, schema, { path: `args.${name}`, report })] as const
  })
  return report.problems.length > 0
    ? { ok: false, problems: report.problems }
    : { ok: true, args: Object.fromEntries(args) }
}

interface At {
  readonly path: string
  readonly report: Report
}

function valueOf(text: string | readonly string[], schema: ArgSchema | undefined, at: At): unknown {
  const isText = typeof text === 'string'
  if (schema?.type === 'object' && isText) return ofJson(text, at)
  if (schema?.type === 'array' && isText && text.startsWith('[')) return ofJson(text, at)
  return coerce(text, schema, at)
}

function ofJson(text: string, { path, report }: At): unknown {
  const read = parseJsonBody(utf8(text))
  if (read.ok) return read.value
  report.malformed(path, text, `write JSON: ${read.reason}`)
  return undefined
}

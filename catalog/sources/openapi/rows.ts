import { createReport, isMembers } from '../../check.ts'
import { freezeDeep } from '../../freeze.ts'
import { routeClashes } from '../../route-overlaps.ts'
import { parameterNames } from '../../template.ts'
import type { Problem, Tool } from '../../tool.ts'
import { checkRow } from '../row.ts'
import { argsOf } from './args.ts'
import { nameAll } from './names.ts'
import { dialectOf, operationsOf } from './read.ts'
import { placeOf } from './servers.ts'
import type { ImportedRows, ImportOptions, Operation, Remark } from './types.ts'

/** The rows of a document, or why it is none. */
export type OpenApiRows =
  | ({ readonly ok: true } & ImportedRows)
  | { readonly ok: false; readonly problem: Problem }

/**
 * The rows of an OpenAPI document (3.0, 3.1, Swagger 2.0) whose references are resolved. What cannot be a row is skipped, and says why.
 */
export function rowsOfOpenApi(document: unknown, options: ImportOptions): OpenApiRows {
  if (dialectOf(document) === undefined || !isMembers(document)) {
    const got = isMembers(document)
      ? `openapi \`${String(document['openapi'])}\`, swagger \`${String(document['swagger'])}\``
      : 'no object'
    return {
      ok: false,
      problem: {
        path: 'openapi',
        got,
        repair: 'give a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0',
      },
    }
  }
  const operations = [...operationsOf(document)]
  const { names, notes } = nameAll(operations, options.prefix)
  const made = operations.map((operation, at) => {
    options.onPart?.(at, operations.length)
    return { at: operation.at, ...rowOf(operation, names.get(operation)!, options) }
  })
  const rows = made.filter((one) => 'tool' in one)
  const clashes = new Map(routeClashes(rows.map(({ tool }) => tool)))
  const isLeft = new Set(rows.filter(({ tool }) => !clashes.has(tool)).map(({ at }) => at))
  return {
    ok: true,
    tools: freezeDeep(rows.filter(({ at }) => isLeft.has(at)).map(({ tool }) => tool)),
    skipped: made.flatMap((one) => {
      if ('why' in one) return [{ at: one.at, why: one.why }]
      const other = clashes.get(one.tool)
      if (other === undefined) return []
      return [{ at: one.at, why: `its route is that of ${other.name}, ${other.path}` }]
    }),
    notes: [
      ...notes.filter(({ at }) => isLeft.has(at)),
      ...rows.filter(({ at }) => isLeft.has(at)).flatMap((row) => row.notes),
    ],
  }
}

type Made = { readonly tool: Tool; readonly notes: readonly Remark[] } | { readonly why: string }

function rowOf(operation: Operation, name: string, { host, key }: ImportOptions): Made {
  if (operation.why !== undefined) return { why: operation.why }
  const place = placeOf(operation, host)
  if ('why' in place) return place
  const args = argsOf(operation, parameterNames(place.path))
  if ('why' in args) return args
  const { properties, body, notes } = args
  const tool: Tool = {
    name,
    summary: operation.summary,
    ...place,
    method: operation.method,
    args: { properties },
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  }
  const report = createReport()
  checkRow(tool, '', report)
  const [fault] = report.problems
  if (fault === undefined) return { tool, notes }
  return { why: `${fault.path.replace(/^\./, '')} ${fault.got}: ${fault.repair}` }
}

import { createReport, isMembers } from '../../check.ts'
import { freezeDeep } from '../../freeze.ts'
import { parameterName, routeShape, templateSegments } from '../../route.ts'
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
  const rows = createRows(options)
  for (const operation of operations) rows.add(operation, names.get(operation)!)
  const named = notes.filter(({ at }) => !rows.skipped.some((skip) => skip.at === at))
  return {
    ok: true,
    tools: freezeDeep(rows.tools),
    skipped: rows.skipped,
    notes: [...named, ...rows.notes],
  }
}

/** Takes operations one by one; what does not hold as a row, or beside the others, is skipped. */
function createRows(options: ImportOptions) {
  const tools: Tool[] = []
  const skipped: Remark[] = []
  const notes: Remark[] = []
  const shapes = new Map<string, Tool>()
  return {
    tools,
    skipped,
    notes,
    add(operation: Operation, name: string): void {
      const { at } = operation
      if (operation.broken !== undefined) {
        return void skipped.push({ at, why: `its reference ${operation.broken} leads nowhere` })
      }
      const made = rowOf(operation, name, options)
      if ('why' in made) return void skipped.push({ at, why: made.why })
      const other = shapes.get(routeShape(made.tool))
      if (other !== undefined) {
        return void skipped.push({ at, why: `its route is that of ${other.name}` })
      }
      shapes.set(routeShape(made.tool), made.tool)
      tools.push(made.tool)
      notes.push(...made.notes)
    },
  }
}

type Made = { readonly tool: Tool; readonly notes: readonly Remark[] } | { readonly why: string }

function rowOf(operation: Operation, name: string, { host, key }: ImportOptions): Made {
  const place = placeOf(operation, host)
  if ('why' in place) return place
  const inPath = templateSegments(place.path).flatMap((segment) => parameterName(segment) ?? [])
  const { properties, body, notes } = argsOf(operation, inPath)
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

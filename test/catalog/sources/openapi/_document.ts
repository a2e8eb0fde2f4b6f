import { rowsOfOpenApi } from '../../../../catalog/sources/openapi/rows.ts'
import type { ImportOptions } from '../../../../catalog/sources/openapi/types.ts'

/** A document of OpenAPI 3.1 with these paths. */
export function documentOf(paths: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return { openapi: '3.1.0', servers: [{ url: 'https://api.test/v1' }], paths, ...more }
}

/** The rows of a document that is one. */
export function rowsOf(document: unknown, options: Partial<ImportOptions> = {}) {
  const rows = rowsOfOpenApi(document, { prefix: 'API', ...options })
  if (!rows.ok) throw new Error(JSON.stringify(rows.problem))
  return rows
}

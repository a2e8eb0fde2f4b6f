import { parse } from 'yaml'
import type { DocumentReader, ReadDocument } from './port.ts'

/** A reference to a place that the document does not have begins so, and is no reference to the parser. */
const NOWHERE = 'nowhere:'

/** Reads OpenAPI documents with @readme/openapi-parser (docs/decisions/011-openapi-documents.md). */
export function createOpenApiReader(): DocumentReader {
  return { read: readOpenApi }
}

async function readOpenApi(source: string): Promise<ReadDocument> {
  const parsed = parseSource(source)
  if (!parsed.ok) return parsed
  if (!isObject(parsed.document)) return { ok: false, why: 'it is no object' }
  markBroken(parsed.document)
  // Loaded when it is needed: every command would wait for it.
  const { dereference } = await import('@readme/openapi-parser')
  try {
    const document: unknown = await dereference(parsed.document as never, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
    })
    return { ok: true, document }
  } catch (error) {
    return { ok: false, why: firstLine(error) }
  }
}

function parseSource(source: string): ReadDocument {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const isJson = text.trimStart().startsWith('{')
  try {
    return { ok: true, document: isJson ? (JSON.parse(text) as unknown) : parse(text) }
  } catch (error) {
    return { ok: false, why: `${isJson ? 'JSON' : 'YAML'}: ${firstLine(error)}` }
  }
}

/** Messages of the parser can hold a way through a whole document. */
const LONGEST_LINE = 300

function firstLine(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  return line.slice(0, LONGEST_LINE)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One broken reference would make the parser give up the whole document; so it stays as what it is, and its operation is skipped. */
function markBroken(root: Record<string, unknown>): void {
  const known = new Map<string, boolean>()
  const leads = (reference: string): boolean => {
    const found = known.get(reference) ?? leadsSomewhere(root, reference)
    known.set(reference, found)
    return found
  }
  const waiting: unknown[] = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const reference = isObject(value) ? value['$ref'] : undefined
    if (typeof reference === 'string' && reference.startsWith('#') && !leads(reference)) {
      ;(value as Record<string, unknown>)['$ref'] = `${NOWHERE}${reference}`
    }
    for (const inner of Object.values(value)) if (typeof inner === 'object') waiting.push(inner)
  }
}

/** Whether a JSON pointer (RFC 6901, in its form for URLs) leads to something. */
function leadsSomewhere(root: unknown, reference: string): boolean {
  let at = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Record<string, unknown>)[name]
  }
  return at !== undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

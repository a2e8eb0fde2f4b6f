import { isMembers, type Members } from '../../check.ts'
import { bodyOf } from './bodies.ts'
import type { Operation, Parameter, Schema } from './types.ts'
import { firstLine, listOf, membersOf, shortened, textOf } from './values.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const LONGEST_SUMMARY = 200
/** Where parameters of 2.0 stand that make up the body. */
const IN_BODY: readonly string[] = ['body', 'formData']

/** Which of the standards a document follows; undefined for what is none of them. */
export function dialectOf(document: unknown): 'openapi' | 'swagger' | undefined {
  if (!isMembers(document)) return undefined
  if (/^3\.[01]\b/.test(textOf(document['openapi']) ?? '')) return 'openapi'
  return document['swagger'] === '2.0' ? 'swagger' : undefined
}

/** Every operation of a document whose references are resolved, in its order (OpenAPI 3.0 and 3.1, Swagger 2.0). */
export function* operationsOf(document: Members): Generator<Operation> {
  const shared = {
    servers: serversOf(document) ?? oldServers(document),
    consumes: listOf(document['consumes']),
  }
  for (const [path, item] of Object.entries(membersOf(document['paths']))) {
    if (!isMembers(item)) continue
    for (const method of METHODS) {
      const operation = item[method]
      if (isMembers(operation)) yield operationOf({ path, method, item, operation }, shared)
    }
  }
}

interface Place {
  readonly path: string
  readonly method: string
  readonly item: Members
  readonly operation: Members
}

/** What the document says for all operations that say nothing else. */
interface Shared extends Pick<Operation, 'servers'> {
  /** Media types of bodies; 2.0 alone has it. */
  readonly consumes: readonly unknown[]
}

function operationOf({ path, method, item, operation }: Place, shared: Shared): Operation {
  const raw = [...listOf(item['parameters']), ...listOf(operation['parameters'])].filter(isMembers)
  const id = textOf(operation['operationId'])
  const consumes = Array.isArray(operation['consumes']) ? operation['consumes'] : shared.consumes
  const { body, why } = bodyOf(operation['requestBody'], raw, consumes)
  const at = `${method.toUpperCase()} ${path}`
  const broken = brokenOf([item, operation, operation['requestBody'], body?.schema, ...raw])
  return {
    at,
    method: method.toUpperCase(),
    path,
    ...(id === undefined || id === '' ? {} : { id }),
    summary: summaryOf(operation) ?? summaryOf(item) ?? at,
    parameters: parametersOf(raw),
    ...(body && { body }),
    servers: serversOf(operation) ?? serversOf(item) ?? shared.servers,
    ...(broken !== undefined && { why: `its reference ${broken} leads nowhere` }),
    ...(broken === undefined && why !== undefined && { why }),
  }
}

/** The first reference that was not resolved: those into the document that are left lead round in a circle. */
function brokenOf(parts: readonly unknown[]): string | undefined {
  const references = parts.filter(isMembers).map((part) => textOf(part['$ref']))
  return references.find((reference) => reference !== undefined && !reference.startsWith('#'))
}

/** What an operation says of a parameter goes before what its path says. */
function parametersOf(raw: readonly Members[]): readonly Parameter[] {
  const byPlace = new Map<string, Parameter>()
  for (const parameter of raw) {
    const [name, place] = [textOf(parameter['name']), textOf(parameter['in'])]
    if (name === undefined || place === undefined || IN_BODY.includes(place)) continue
    byPlace.set(`${place} ${name}`, {
      name,
      in: place,
      schema: described(schemaOf(parameter), parameter),
      required: parameter['required'] === true,
    })
  }
  return [...byPlace.values()]
}

/** In 2.0 the parameter is its own schema; in 3.x it may be the schema of a media type. */
function schemaOf(parameter: Members): Schema {
  if (isMembers(parameter['schema'])) return parameter['schema']
  const [media] = Object.values(membersOf(parameter['content']))
  return isMembers(media) ? membersOf(media['schema']) : parameter
}

function described(schema: Schema, { description }: Members): Schema {
  return description === undefined ? schema : { ...schema, description }
}

/** The addresses of 3.x, their variables filled in with what they are by default. */
function serversOf({ servers }: Members): readonly string[] | undefined {
  if (!Array.isArray(servers) || servers.length === 0) return undefined
  return servers.filter(isMembers).flatMap((server) => {
    const url = textOf(server['url'])
    const variables = membersOf(server['variables'])
    return url === undefined
      ? []
      : [
          url.replaceAll(/\{([^{}]*)\}/g, (all, name: string) => {
            const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
            return (isMembers(variable) && textOf(variable['default'])) || all
          }),
        ]
  })
}

/** The address of 2.0, put together; https where it is offered. */
function oldServers(document: Members): readonly string[] {
  const [host, base] = [textOf(document['host']), textOf(document['basePath']) ?? '']
  if (host === undefined) return base === '' ? [] : [base]
  const schemes = listOf(document['schemes'])
  const scheme = schemes.includes('http') && !schemes.includes('https') ? 'http' : 'https'
  return [`${scheme}://${host}${base}`]
}

/** The first line of what is said of something. */
function summaryOf({ summary, description }: Members): string | undefined {
  const line = firstLine(summary) ?? firstLine(description)
  return line === undefined ? undefined : shortened(line, LONGEST_SUMMARY)
}

import { isSafe } from '../safe.ts'
import type { ArgSchema, ArgType, Tool } from '../tool.ts'
import { writtenJson } from '../written-json.ts'
import { postScript, shell } from './posted.ts'
import type { Unavailable, WayTable } from './types.ts'

/** A document of GraphQL with variables, for the field that the tool has in the schema of its holder. */
export const GRAPH: WayTable<'graphql'> = {
  graphql: {
    door: '/g/graphql',
    write: ({ tool, args, gateway }) => {
      if (gateway.closed.includes('graphql'))
        return { unavailable: 'the door is closed', set: '`doors: {graphql: true}`' }
      const fault = faultOf(tool, args)
      if (fault !== undefined) return fault
      const { variables, ...document } = documentOf(tool, args)
      const body = writtenJson({ ...document, variables })
      return shell(postScript(gateway, { path: '/g/graphql', body }))
    },
  },
}

/** Names that GraphQL allows (October 2021, 2.1.9) and does not keep for itself. */
const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/

/** Arguments of every field, which say what is wanted. */
const SAID: readonly string[] = ['_select', '_want', '_control', '_more']

function faultOf({ generic, args: { properties } }: Tool, args: Args): Unavailable | undefined {
  if (generic === true)
    return {
      unavailable: 'the schema has a field for each row of the catalog, and this is none',
      set: 'a row for the address in the catalog',
    }
  const misfits = Object.keys(args).filter(
    (name) => Object.hasOwn(properties, name) && (!NAME.test(name) || SAID.includes(name)),
  )
  if (misfits.length === 0) return undefined
  return {
    unavailable: `GraphQL spells these names otherwise: ${misfits.join(', ')}`,
    set: 'take the names from the schema: each says what it stands for',
  }
}

type Args = Readonly<Record<string, unknown>>

function documentOf(tool: Tool, args: Args) {
  const { properties } = tool.args
  const isNamed = (name: string) => Object.hasOwn(properties, name)
  const more = Object.entries(args).filter(([name]) => !isNamed(name))
  const variables = Object.fromEntries([
    ...Object.entries(args).filter(([name]) => isNamed(name)),
    ...(more.length > 0 ? [['_more', Object.fromEntries(more)] as const] : []),
  ])
  const names = Object.keys(variables)
  const types = names.map((name) => `$${name}: ${typeOf(properties[name])}!`)
  const given = names.map((name) => `${name}: $${name}`)
  const [declared, passed] =
    names.length === 0 ? ['', ''] : [` (${types.join(', ')})`, `(${given.join(', ')})`]
  const operation = isSafe(tool) ? 'query' : 'mutation'
  return {
    query: `${operation}${declared} { ${tool.name}${passed} { ok status output receipt } }`,
    variables,
  }
}

function typeOf(schema: ArgSchema | undefined): string {
  return schema?.type === undefined ? 'JSON' : TYPES[schema.type]
}

const TYPES: Readonly<Record<ArgType, string>> = {
  string: 'String',
  integer: 'Integer',
  number: 'Float',
  boolean: 'Boolean',
  array: '[JSON]',
  object: 'JSON',
}

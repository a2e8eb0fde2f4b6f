import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { parseJsonBody, writtenJson } from '../../catalog/index.ts'

type Variables = Readonly<Record<string, unknown>> | null | undefined

/** Any JSON value; numbers in it stay as they were written. */
export const JSON_VALUE = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value: text, number, true, false, null, list or object.',
  parseValue: (value) => value,
  parseLiteral: valueOf,
})

const WHOLE = /^-?(?:0|[1-9][0-9]*)$/

/** Whole numbers: identifiers are often larger than what GraphQL's own `Int` holds, which ends at 2^31. */
export const INTEGER = new GraphQLScalarType({
  name: 'Integer',
  description: 'A whole number of any size.',
  parseValue: (value) => {
    if (WHOLE.test(writtenJson(value) ?? '')) return value
    throw new GraphQLError('write a whole number')
  },
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return numberOf(node.value)
    throw new GraphQLError('write a whole number', { nodes: node })
  },
})

function valueOf(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return numberOf(node.value)
    case Kind.LIST:
      return node.values.map((value) => valueOf(value, variables))
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, valueOf(value, variables)]),
      )
    case Kind.VARIABLE:
      return variables?.[node.name.value]
    case Kind.NULL:
      return null
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value
  }
}

/** GraphQL spells numbers as JSON does (2.9.1, 2.9.2). */
function numberOf(text: string): unknown {
  const read = parseJsonBody(Buffer.from(text))
  return read.ok ? read.value : undefined
}

import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  type GraphQLArgumentConfig,
  type GraphQLFieldConfig,
  type GraphQLInputType,
} from 'graphql'
import { isSafe, type ArgSchema, type ArgType, type Tool } from '../../catalog/index.ts'
import type { BatchAnswer } from '../batch/answer.ts'
import { mapNames, type MappedName } from './names.ts'
import { INTEGER, JSON_VALUE } from './scalars.ts'

/** What is asked of one field: the arguments by the row's own names, and what is said besides. */
export interface FieldCall {
  readonly tool: Tool
  readonly args: Readonly<Record<string, unknown>>
  readonly select: unknown
  readonly want: unknown
  readonly control: unknown
}

/** Makes the calls of one document. */
export interface CallContext {
  /** @throws GraphQLError for a call that was refused or failed */
  call(asked: FieldCall): Promise<BatchAnswer>
}

type Field = GraphQLFieldConfig<unknown, CallContext>
type Given = Readonly<Record<string, unknown>>

const ANSWER = new GraphQLObjectType({
  name: 'Answer',
  description: 'What came of a call.',
  fields: {
    ok: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether the upstream answered with a status below 400.',
    },
    status: { type: new GraphQLNonNull(GraphQLInt), description: 'The upstream’s status.' },
    output: {
      type: JSON_VALUE,
      description: 'The answer: its JSON, else its text, else {base64}.',
    },
    receipt: { type: GraphQLID, description: 'Id of the call’s receipt.' },
  },
})

const SAID: Readonly<Record<string, GraphQLArgumentConfig>> = {
  _select: {
    type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
    description: 'Paths of the answer that come back.',
  },
  _want: {
    type: JSON_VALUE,
    description:
      'What is wanted of the answer: where, select, order, page, want; or a select list.',
  },
  _control: { type: JSON_VALUE, description: 'How it is called: timeout_ms, idempotency_key.' },
}

const MORE: GraphQLArgumentConfig = {
  type: JSON_VALUE,
  description: 'Members of the body that the row does not name, as an object.',
}

/** A schema with a field for each row: what changes nothing is a query, all else a mutation. */
export function schemaOf(rows: readonly Tool[]): GraphQLSchema {
  const count: Field = {
    type: new GraphQLNonNull(GraphQLInt),
    description: 'How many tools the token could call.',
    resolve: () => rows.length,
  }
  const changing = rows.filter((tool) => !isSafe(tool))
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      description: 'Tools that change nothing.',
      fields: { ...fieldsOf(rows.filter(isSafe)), _tools: count },
    }),
    ...(changing.length > 0 && {
      mutation: new GraphQLObjectType({
        name: 'Mutation',
        description: 'Tools that may change something.',
        fields: fieldsOf(changing),
      }),
    }),
  })
}

function fieldsOf(rows: readonly Tool[]): Readonly<Record<string, Field>> {
  return Object.fromEntries(rows.map((tool) => [tool.name, fieldOf(tool)]))
}

function fieldOf(tool: Tool): Field {
  const { properties } = tool.args
  const said = tool.body === 'open' ? { ...SAID, _more: MORE } : SAID
  const names = mapNames(Object.keys(properties), Object.keys(said))
  const args = names.map((name) => [name.name, argOf(name, properties[name.own]!)] as const)
  return {
    type: ANSWER,
    description: tool.summary,
    args: { ...Object.fromEntries(args), ...said },
    resolve: (_source, given: Given, context) => {
      const { _select: select, _want: want, _control: control } = given
      return context.call({ tool, args: argsOf(names, given), select, want, control })
    },
  }
}

function argOf({ name, own }: MappedName, schema: ArgSchema): GraphQLArgumentConfig {
  const type = schema.type === undefined ? JSON_VALUE : TYPES[schema.type]
  const parts = [schema.description, schema.enum && `One of ${schema.enum.join(', ')}.`]
  const description = [...parts, name === own ? undefined : `Stands for \`${own}\`.`]
    .filter((part) => part !== undefined)
    .join(' ')
  return {
    type: schema.required === true ? new GraphQLNonNull(type) : type,
    ...(description !== '' && { description }),
  }
}

const TYPES: Readonly<Record<ArgType, GraphQLInputType & { readonly ofType?: unknown }>> = {
  string: GraphQLString,
  integer: INTEGER,
  number: GraphQLFloat,
  boolean: GraphQLBoolean,
  array: new GraphQLList(JSON_VALUE),
  object: JSON_VALUE,
}

/** The arguments by the row's own names. What `_more` says never stands for one that the row names. */
function argsOf(names: readonly MappedName[], given: Given): Given {
  const { _more: more } = given
  const others = typeof more === 'object' && more !== null ? Object.entries(more) : []
  const named = names.flatMap(({ name, own }) =>
    given[name] === undefined ? [] : [[own, given[name]] as const],
  )
  return Object.fromEntries([...others, ...named])
}

import { readFileSync } from 'node:fs'

/** One key as the schema has it, in the words of the documentation. */
export interface SchemaKey {
  readonly key: string
  readonly type: string
  readonly default: string
  readonly meaning: string
  readonly example: string
}

interface Node {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly $ref?: string
}

interface Schema extends Node {
  readonly properties: Readonly<Record<string, Node>>
  readonly $defs: Readonly<Record<string, Node>>
}

export const schema = JSON.parse(
  readFileSync(new URL('../../../gateway/config/narrowgate.schema.json', import.meta.url), 'utf8'),
) as Schema

// These two stand in several places and have a section of their own.
const SHARED = ['secret', 'proxy']

/** Every key of the schema; `<secret>.env` is a key of the shared form. */
export function schemaKeys(): readonly SchemaKey[] {
  return [
    ...keysOf(schema, ''),
    ...SHARED.flatMap((name) => keysOf(schema.$defs[name] ?? {}, `<${name}>`)),
  ]
}

function keysOf(node: Node, path: string): readonly SchemaKey[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = path === '' ? name : `${path}.${name}`
    return [describe(key, child), ...keysOf(child, key), ...keysOfItems(child, key)]
  })
}

function keysOfItems({ items }: Node, key: string): readonly SchemaKey[] {
  const name = refName(items)
  return name === undefined || SHARED.includes(name)
    ? []
    : keysOf(schema.$defs[name] ?? {}, `${key}[]`)
}

function describe(key: string, node: Node): SchemaKey {
  const empty = JSON.stringify(node.default) === '{}'
  return {
    key,
    type: typeOf(node),
    default: node.default === undefined || empty ? '–' : code(node.default),
    meaning: node.description ?? '',
    example: node.examples === undefined ? '–' : code(node.examples[0]),
  }
}

function typeOf(node: Node): string {
  const name = refName(node)
  if (name !== undefined) return name
  if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(', ')
  if (node.type === 'array') return `list of ${refName(node.items) ?? typeOf(node.items ?? {})}`
  const words: Readonly<Record<string, string>> = {
    object: 'mapping',
    string: 'text',
    integer: 'whole number',
  }
  return words[node.type ?? ''] ?? node.type ?? ''
}

function refName(node: Node | undefined): string | undefined {
  return node?.$ref?.replace('#/$defs/', '')
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``
}

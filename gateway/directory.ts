import { createResolver, type Resolver, type Tool } from '../catalog/index.ts'

/** The rows of the catalog in force, and the resolver over them. */
export interface Directory {
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /** Made when it is first asked for: a large catalog takes a while. */
  resolver(): Resolver<Tool>
}

interface Indexed {
  readonly tools: readonly Tool[]
  readonly byName: ReadonlyMap<string, Tool>
  resolver: Resolver<Tool> | undefined
}

/** `catalog` gives the rows in force: another list after a reload, the same one otherwise. */
export function createDirectory(catalog: () => readonly Tool[]): Directory {
  let indexed: Indexed | undefined
  const current = (): Indexed => {
    const tools = catalog()
    if (indexed?.tools !== tools) {
      const byName = new Map(tools.map((tool) => [tool.name, tool]))
      indexed = { tools, byName, resolver: undefined }
    }
    return indexed
  }
  return {
    tools: () => current().tools,
    tool: (name) => current().byName.get(name),
    resolver: () => (current().resolver ??= createResolver(current().tools)),
  }
}

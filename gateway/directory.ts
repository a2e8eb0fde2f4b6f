import { createResolver, type Alias, type Resolver, type Tool } from '../catalog/index.ts'

/** The rows of the catalog in force, and the resolver over them. */
export interface Directory {
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /** Made when it is first asked for: a large catalog takes a while. */
  resolver(): Resolver<Tool>
}

interface Indexed {
  readonly tools: readonly Tool[]
  readonly aliases: readonly Alias[]
  readonly byName: ReadonlyMap<string, Tool>
  resolver: Resolver<Tool> | undefined
}

const NO_ALIASES: readonly Alias[] = []

/** `catalog` and `aliases` give those in force: another list after a reload, the same one otherwise. */
export function createDirectory(
  catalog: () => readonly Tool[],
  aliases: () => readonly Alias[] = () => NO_ALIASES,
): Directory {
  let indexed: Indexed | undefined
  const current = (): Indexed => {
    const tools = catalog()
    const said = aliases()
    if (indexed?.tools !== tools || indexed.aliases !== said) {
      const byName = new Map(tools.map((tool) => [tool.name, tool]))
      indexed = { tools, aliases: said, byName, resolver: undefined }
    }
    return indexed
  }
  return {
    tools: () => current().tools,
    tool: (name) => current().byName.get(name),
    resolver() {
      const now = current()
      return (now.resolver ??= createResolver(now.tools, now.aliases))
    },
  }
}

import type { Remark } from '../openapi/types.ts'
import { collisions, withPrefix, withSuffix, wordsIn } from '../words.ts'

/** A name for every tool of a server, and a remark where it is not the tool's own. */
export interface NamedTools {
  readonly names: ReadonlyMap<string, string>
  readonly notes: readonly Remark[]
}

/**
 * `create-issue` becomes `TRACKER_CREATE_ISSUE`. Where several would have one name, and where a name has no letter that names know,
 * each has a digest of its own spelling behind it: so a name never passes from one tool to another because of what the server
 * lists besides, or in which order.
 */
export function nameTools(tools: readonly string[], prefix: string): NamedTools {
  const plain = new Map(tools.map((tool) => [tool, withPrefix(prefix, wordsIn(tool))]))
  const shared = new Set(collisions(plain).flat())
  const names = new Map<string, string>()
  const notes: Remark[] = []
  for (const [tool, name] of plain) {
    const hasOwn = name !== prefix && !shared.has(tool)
    const given = hasOwn ? name : withSuffix(name, digestOf(tool))
    names.set(tool, given)
    const why = shared.has(tool) ? `${name} is not its alone` : 'it has no letters that names know'
    if (!hasOwn) notes.push({ at: tool, why: `named ${given}, as ${why}` })
  }
  return { names, notes }
}

/** FNV-1a of 32 bits in hex: it parts names, and protects nothing. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(16).toUpperCase().padStart(8, '0')
}

/** A name as GraphQL has it, and the name that it stands for. */
export interface MappedName {
  readonly name: string
  readonly own: string
}

/** Names that GraphQL allows (October 2021, 2.1.9) and does not keep for itself. */
const ALLOWED = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Names for GraphQL, in the order of their own. One that it allows stays; in any other each character that it does not know becomes
 * `_`. Where the name is taken a number is put behind it.
 */
export function mapNames(
  names: readonly string[],
  taken: readonly string[],
): readonly MappedName[] {
  const kept = names.filter((name) => ALLOWED.test(name) && !taken.includes(name))
  const used = new Set([...taken, ...kept])
  const stays = new Set(kept)
  return names.map((own) => {
    if (stays.has(own)) return { name: own, own }
    const name = unused(allowed(own), used)
    used.add(name)
    return { name, own }
  })
}

function allowed(own: string): string {
  const name = own.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return ALLOWED.test(name) ? name : `x_${name}`
}

function unused(name: string, used: ReadonlySet<string>): string {
  let found = name
  for (let number = 2; used.has(found); number += 1) found = allowed(`${name}_${number}`)
  return found
}

/** The calls of a batch by the names that others have for them. */
export interface CallNames {
  readonly calls: ReadonlySet<string>
  /** What fan-out made of one form: the keys of its calls, in order. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

/** What a value is taken from. */
export interface Source {
  /** The calls whose outputs it is, one, or all of a group. */
  readonly keys: readonly string[]
  readonly isGroup: boolean
  /** Where in the output, or in the list of them. */
  readonly path: readonly string[]
}

type Members = Readonly<Record<string, unknown>>

export function namesOf(calls: readonly { readonly key: string }[]): CallNames {
  const groups = new Map<string, string[]>()
  for (const { key } of calls) {
    for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      const group = key.slice(0, dot)
      const known = groups.get(group)
      if (known === undefined) groups.set(group, [key])
      else known.push(key)
    }
  }
  return { calls: new Set(calls.map(({ key }) => key)), groups }
}

/** The text of `{"$from": …}`; undefined for a value that is written. */
export function fromOf(value: Members): string | undefined {
  const { $from: text } = value
  return typeof text === 'string' && Object.keys(value).length === 1 ? text : undefined
}

/** What a text names: the longest key that it begins with; undefined where there is none. */
export function sourceOf(text: string, { calls, groups }: CallNames): Source | undefined {
  const parts = text.split('.')
  for (let end = parts.length; end > 0; end--) {
    const name = parts.slice(0, end).join('.')
    const path = parts.slice(end)
    if (calls.has(name)) return { keys: [name], isGroup: false, path }
    const keys = groups.get(name)
    if (keys !== undefined) return { keys, isGroup: true, path }
  }
  return undefined
}

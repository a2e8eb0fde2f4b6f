/** Longest name of a row. */
const LONGEST_NAME = 128

/** The words of an identifier in the spelling of names, cut at humps: `listForRepo` is `LIST_FOR_REPO`. */
export function wordsIn(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toUpperCase()
    .split(/[^A-Z\d]+/)
    .filter(Boolean)
    .join('_')
}

/** A name of these words behind a prefix, cut to the length that a name may have. */
export function withPrefix(prefix: string, words: string): string {
  return cutName(words === '' ? prefix : `${prefix}_${words}`)
}

/** Cuts a name where it is too long. */
export function cutName(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(/_+$/, '')
}

/** What has one name in common, where several have it. */
export function collisions<T>(names: ReadonlyMap<T, string>): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>()
  for (const [one, name] of names) {
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/** The name with something behind it, cut so that it fits. */
export function withSuffix(name: string, suffix: string): string {
  return `${name.slice(0, LONGEST_NAME - suffix.length - 1)}_${suffix}`
}

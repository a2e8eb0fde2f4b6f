/** Words that the names of tools and those who ask for them write short or long alike. */
const PAIRS: readonly (readonly [short: string, long: string])[] = [
  ['admin', 'administrator'],
  ['app', 'application'],
  ['attr', 'attribute'],
  ['config', 'configuration'],
  ['db', 'database'],
  ['dir', 'directory'],
  ['doc', 'document'],
  ['env', 'environment'],
  ['img', 'image'],
  ['info', 'information'],
  ['msg', 'message'],
  ['org', 'organization'],
  ['org', 'organisation'],
  ['param', 'parameter'],
  ['repo', 'repository'],
  ['spec', 'specification'],
  ['stats', 'statistics'],
]

const partners = new Map<string, string[]>()
for (const [short, long] of PAIRS) {
  partners.set(short, [...(partners.get(short) ?? []), long])
  partners.set(long, [...(partners.get(long) ?? []), short])
}

/** What a word is written as besides, short or long. */
export function abbreviationsOf(word: string): readonly string[] {
  return partners.get(word) ?? []
}

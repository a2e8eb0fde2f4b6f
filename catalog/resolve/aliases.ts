import { wordsOf } from './question.ts'

/** Words of people, and the names that they mean. */
export interface Alias {
  /** One or more words, as they stand in a question. */
  readonly words: string
  /** `^IMSG_` stands for every name that begins so; without `^` it is a run of whole words in the name: `DELETE`. */
  readonly names: readonly string[]
}

/** The aliases that come with the program; those of a configuration come before them. */
export const ALIASES: readonly Alias[] = [
  { words: 'imessage', names: ['^IMSG_'] },
  { words: 'text message', names: ['^IMSG_', '^BLOOIO'] },
  { words: 'whatsapp', names: ['^TWOCHAT_'] },
  { words: 'blue bubble', names: ['^IMSG_'] },
  { words: 'who am i', names: ['GET_AUTHENTICATED'] },
  { words: 'sms', names: ['^IMSG_', '^BLOOIO', '^TWILIO_', 'SMS'] },
  { words: 'mail', names: ['^GMAIL_', '^SENDGRID_', '^OUTLOOK_', 'EMAIL', 'MAIL'] },
  { words: 'email', names: ['^GMAIL_', '^SENDGRID_', '^OUTLOOK_', 'EMAIL', 'MAIL'] },
  { words: 'spreadsheet', names: ['^GOOGLESHEETS_', '^SHEETS_', 'SHEET', 'SPREADSHEETS'] },
  { words: 'calendar', names: ['^GOOGLECALENDAR_', 'CALENDAR', 'EVENTS'] },
  { words: 'appointment', names: ['^GOOGLECALENDAR_', 'EVENTS', 'CALENDAR'] },
  { words: 'pull request', names: ['PULLS', 'PULL'] },
  { words: 'pr', names: ['PULLS', 'PULL'] },
  { words: 'merge request', names: ['MERGE_REQUESTS', 'PULLS'] },
  { words: 'ticket', names: ['^JIRA_', '^ZENDESK_', 'ISSUES', 'TICKETS'] },
  { words: 'bug', names: ['ISSUES'] },
  { words: 'repository', names: ['REPOS', 'REPO'] },
  { words: 'pipeline', names: ['WORKFLOWS', 'WORKFLOW', 'PIPELINES'] },
  { words: 'build', names: ['WORKFLOWS', 'CHECKS', 'BUILDS'] },
  { words: 'ci', names: ['WORKFLOWS', 'CHECKS'] },
  { words: 'folder', names: ['FOLDERS', 'DIRECTORY'] },
  { words: 'file', names: ['CONTENTS', 'CONTENT', 'FILES'] },
  { words: 'person', names: ['USERS', 'PEOPLE', 'CONTACTS', 'MEMBERS'] },
  { words: 'team member', names: ['TEAMS', 'MEMBERS', 'COLLABORATORS'] },
  { words: 'customer', names: ['CUSTOMERS', 'CONTACTS', 'ACCOUNTS'] },
  { words: 'invoice', names: ['INVOICES'] },
  { words: 'payment', names: ['PAYMENTS', 'CHARGES', 'PAYMENT_INTENTS'] },
  { words: 'charge', names: ['CHARGES', 'PAYMENT_INTENTS'] },
  { words: 'chat', names: ['^SLACK_', '^DISCORD_', 'CHAT', 'MESSAGES'] },
  { words: 'search the web', names: ['^EXA_', 'WEB_SEARCH', 'SEARCH'] },
  { words: 'remove', names: ['DELETE', 'REMOVE'] },
  { words: 'erase', names: ['DELETE', 'REMOVE'] },
  { words: 'cancel', names: ['CANCEL', 'DELETE'] },
  { words: 'add', names: ['ADD', 'CREATE'] },
  { words: 'make', names: ['CREATE'] },
  { words: 'new', names: ['CREATE'] },
  { words: 'open', names: ['CREATE', 'OPEN'] },
  { words: 'change', names: ['UPDATE', 'SET', 'EDIT'] },
  { words: 'edit', names: ['UPDATE', 'EDIT'] },
  { words: 'rename', names: ['RENAME', 'UPDATE'] },
  { words: 'fetch', names: ['GET', 'LIST'] },
  { words: 'show', names: ['GET', 'LIST'] },
  { words: 'read', names: ['GET'] },
  { words: 'see', names: ['GET', 'LIST'] },
  { words: 'all', names: ['LIST'] },
  { words: 'find', names: ['SEARCH', 'LIST'] },
  { words: 'look up', names: ['SEARCH', 'GET'] },
]

/** The names of a catalog, as aliases look at them. */
export interface Names {
  /** Ids of the names that begin with a text. */
  starting(prefix: string): Iterable<number>
  /** Ids of the names in which these words stand one behind the other. */
  containing(words: string): Iterable<number>
}

/** Words of an alias, and the ids of the rows that they mean. */
export interface ResolvedAlias {
  readonly words: readonly string[]
  readonly ids: ReadonlySet<number>
}

/** Aliases by their first word, each with its rows. */
export type AliasIndex = ReadonlyMap<string, readonly ResolvedAlias[]>

/** Finds the rows of each alias, once for a catalog; an alias without rows is left out. */
export function indexAliases(aliases: readonly Alias[], names: Names): AliasIndex {
  const index = new Map<string, ResolvedAlias[]>()
  for (const alias of aliases) {
    const words = wordsOf(alias.words)
    const [first] = words
    const ids = new Set(alias.names.flatMap((pattern) => [...idsOf(pattern, names)]))
    if (ids.size === 0 || first === undefined) continue
    const known = index.get(first)
    if (known === undefined) index.set(first, [{ words, ids }])
    else known.push({ words, ids })
  }
  return index
}

function idsOf(pattern: string, names: Names): Iterable<number> {
  return pattern.startsWith('^') ? names.starting(pattern.slice(1)) : names.containing(pattern)
}

/** The aliases whose words stand in a question, one behind the other, in its order; a plural is the same word. */
export function aliasesIn(index: AliasIndex, words: readonly string[]): readonly ResolvedAlias[] {
  const found = new Set<ResolvedAlias>()
  for (const [at, word] of words.entries()) {
    for (const first of new Set([word, word.replace(/s$/, ''), word.replace(/es$/, '')])) {
      for (const alias of index.get(first) ?? []) if (standsAt(at, alias, words)) found.add(alias)
    }
  }
  return [...found]
}

function standsAt(at: number, alias: ResolvedAlias, words: readonly string[]): boolean {
  return alias.words.every((word, place) => isSame(word, words[at + place]))
}

function isSame(word: string, said: string | undefined): boolean {
  return said === word || said === `${word}s` || said === `${word}es`
}

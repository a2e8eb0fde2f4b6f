import { createResolver, toolsMeant, type KnownNames } from '../../../catalog/index.ts'

/** Wednesday noon. */
export const NOW = Date.parse('2026-01-21T12:00:00Z')

const TOOLS = [
  'GITHUB_ISSUES_LIST_FOR_REPO',
  'GITHUB_ISSUES_CREATE',
  'GITHUB_PULLS_LIST',
  'STRIPE_CHARGES_CREATE',
  'OPENAI_CHAT_COMPLETIONS_CREATE',
].map((name) => ({ name, summary: '', host: '', path: '', args: { properties: {} } }))

/** A small catalog, and the hosts of a configuration. */
export const KNOWN: KnownNames = {
  tools: toolsMeant(createResolver(TOOLS)),
  hosts: ['api.github.com', 'api.openai.com'],
}

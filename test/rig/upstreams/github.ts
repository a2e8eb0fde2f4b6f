import { sendJson, sendNothingHere } from './site.ts'
import type { Site } from './site.ts'

/** How many issues the one repository has. */
export const ISSUE_COUNT = 30

/** The list of issues of a repository, in pages, with the provider's `Link` header; as an enterprise's server, too. */
export const github: Site = {
  name: 'github',
  handle({ response, url }) {
    if (!/^(?:\/api\/v3)?\/repos\/octo\/hello\/issues$/.test(url.pathname)) {
      return sendNothingHere(response)
    }
    const size = Number(url.searchParams.get('per_page') ?? 30)
    const page = Number(url.searchParams.get('page') ?? 1)
    const issues = Array.from({ length: ISSUE_COUNT }, (_, n) => issue(n + 1))
    if (page * size < ISSUE_COUNT) response.setHeader('link', nextLink(url, page + 1))
    sendJson(response, issues.slice((page - 1) * size, page * size))
  },
}

function nextLink(url: URL, page: number): string {
  const next = new URL(url)
  next.searchParams.set('page', String(page))
  return `<${next.href}>; rel="next"`
}

function issue(number: number): object {
  const at = `https://github.ng.test/repos/octo/hello/issues/${number}`
  return {
    id: 1000 + number,
    node_id: `I_${number}`,
    url: at,
    html_url: at,
    number,
    state: number % 2 === 0 ? 'open' : 'closed',
    title: `issue ${number}`,
    user: { login: 'octocat', id: 1, type: 'User', site_admin: false },
    labels: [{ id: 1, name: 'bug', color: 'd73a4a', default: true }],
    assignees: [],
    comments: number,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    closed_at: null,
    body: 'a long text that nobody needs '.repeat(20),
  }
}

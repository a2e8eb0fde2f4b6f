import type { Setup } from './gateway.ts'

/** The file of guardrails beside the configuration. */
export const FILE = 'g.cedar'

const ROWS: Setup['rows'] = [
  {
    name: 'CHAT',
    method: 'POST',
    path: '/chat',
    model: 'model',
    args: { properties: { model: { in: 'body', type: 'string' } } },
  },
  { name: 'UPLOAD', method: 'PUT', path: '/file' },
]

export const GUARDRAILS = `
@id("no-delete") @advice("ask ops")
forbid (principal, action, resource in Host::"api.test") when { resource.method == "DELETE" };
@id("no-admin")
forbid (principal, action, resource) when { context.path like "/admin/*" };
@id("small-models")
forbid (principal, action, resource) when { context has models && context.models.contains("big") };
`

/** A gateway under these guardrails. */
export const setup = (mode: 'enforce' | 'shadow'): Setup => ({
  rows: ROWS,
  files: { [FILE]: GUARDRAILS },
  config: { guardrails: { files: [`./${FILE}`], mode } },
})

/** A call of the row that names a model in its body. */
export const chat = (model: string) => ({
  method: 'POST',
  path: '/chat',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model }),
})

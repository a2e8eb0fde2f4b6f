import { VERSION } from '../../version.ts'
import { BODIES } from './bodies.ts'
import type { Operation } from './operation.ts'
import { ARTICLE_PATHS } from './paths/articles.ts'
import { GRANT_PATHS } from './paths/grants.ts'
import { PERSON_PATHS } from './paths/persons.ts'
import { PROOF_PATHS } from './paths/proofs.ts'
import { STATE_PATHS } from './paths/state.ts'
import { STORE_PATHS } from './paths/store.ts'
import { VIEW_PATHS } from './paths/views.ts'
import { TOOL_PATHS } from './paths/tools.ts'
import { SCHEMAS } from './schemas.ts'

type PathItem = Readonly<Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>>

const PATHS: Readonly<Record<string, PathItem>> = {
  ...ARTICLE_PATHS,
  ...GRANT_PATHS,
  ...PERSON_PATHS,
  ...STATE_PATHS,
  ...STORE_PATHS,
  ...PROOF_PATHS,
  ...TOOL_PATHS,
  ...VIEW_PATHS,
}

/** The owner doors as an OpenAPI 3.1 document; `keyHeaders` are the headers that may hold the owner key. */
export function openApiDocument(keyHeaders: readonly string[]): object {
  const schemes = Object.fromEntries([
    ['bearer', { type: 'http', scheme: 'bearer' }],
    ...keyHeaders.map((name) => [`header ${name}`, { type: 'apiKey', in: 'header', name }]),
  ]) as Readonly<Record<string, object>>
  const named = Object.entries(schemes).map(
    ([name, scheme]) => [name.replaceAll(/[^A-Za-z0-9._-]/g, '_'), scheme] as const,
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Narrowgate: owner doors',
      version: VERSION,
      description: 'Served on the owner’s address alone. Every door takes the owner key.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: named.map(([name]) => ({ [name]: [] })),
    paths: Object.fromEntries(
      Object.entries(PATHS).map(([path, item]) => [path, whole(path, item)]),
    ),
    components: {
      securitySchemes: Object.fromEntries(named),
      schemas: {
        ...SCHEMAS,
        ...Object.fromEntries(
          Object.entries(BODIES).map(([name, schema]) => [`${name}Body`, schema]),
        ),
      },
    },
  }
}

/** With the parameters that the path itself names. */
function whole(path: string, item: PathItem): object {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return parameters.length === 0 ? item : { parameters, ...item }
}

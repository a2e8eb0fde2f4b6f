import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { createRig, get, WITH_KEY, type Rig } from './_owner.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

interface Document extends Record<string, unknown> {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> }
}

async function documentOf(rig: Rig): Promise<Document> {
  const { body } = await get(rig, '/api/openapi.json', WITH_KEY)
  return body as Document
}

/** `METHOD /path` of everything that the router has an address for and that is not refused as a method; no pages. */
async function served({ app }: Rig): Promise<readonly string[]> {
  // What stands for the rest of a path is listed without the slash before it.
  const listed = addresses(app.printRoutes({ commonPrefix: false }))
  const all = listed.map((path) => path.replace(/\/?\*$/, '/:key'))
  const paths = new Set(all.filter((path) => !path.startsWith('/console')))
  const found: string[] = []
  for (const path of paths)
    for (const method of METHODS) {
      const headers = { ...WITH_KEY, host: '127.0.0.1:3129' }
      const { statusCode } = await app.inject({ method, url: path, headers })
      if (statusCode !== 405) found.push(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    }
  return found.toSorted()
}

/** The addresses in the router's own listing, which is a tree of their parts. */
function addresses(tree: string): readonly string[] {
  const above: string[] = []
  const found: string[] = []
  for (const line of tree.split('\n')) {
    const [, indent = '', part = '', methods] =
      /^([│ ]*(?:├── |└── ))(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (part === '') continue
    const depth = indent.length / 4 - 1
    above.length = depth
    const path = `${above.join('')}${part}`
    above.push(part)
    if (methods !== undefined) found.push(path)
  }
  return found
}

t.test('every door that is served stands in the document, and the reverse', async (t) => {
  const rig = createRig()
  await rig.app.ready()
  const { paths } = await documentOf(rig)
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((name) => name !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  const found = await served(rig)
  t.ok(found.length > 15, 'the router was read')
  t.strictSame(documented.toSorted(), found)
})

t.test('it is valid OpenAPI 3.1', async (t) => {
  const document = await documentOf(createRig())
  const validator = new Validator()
  t.match(await validator.validate(structuredClone(document)), { valid: true })
  t.equal(validator.version, '3.1')
  const broken = { ...document, paths: { '/x': { get: { responses: 'none' } } } }
  t.match(await new Validator().validate(broken), { valid: false }, 'the validator looks')
})

t.test('it names the headers that may hold the key', async (t) => {
  const document = await documentOf(createRig({ keyHeaders: () => ['x-narrowgate-key', 'x!b'] }))
  t.match(document.components.securitySchemes, {
    bearer: { type: 'http', scheme: 'bearer' },
    'header_x-narrowgate-key': { type: 'apiKey', in: 'header', name: 'x-narrowgate-key' },
    header_x_b: { name: 'x!b' },
  })
})

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  compileProjection,
  contractOf,
  parseWant,
  projectReference,
  type Tool,
} from '../../../catalog/index.ts'
import { refusalOfProblems } from '../../problems.ts'
import { refusal } from '../../refusal.ts'
import { oneOf, readParameters, wholeNumber } from '../parameters.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from './get.ts'

const MOST_FOUND = 1000
const LONGEST_QUESTION = 1024
const DEFAULT_PAGE = 100

const anyText = () => undefined

const LIST = { light: oneOf('1'), want: anyText }
const QUERY = {
  q: (text: string) =>
    text.trim() !== '' && text.length <= LONGEST_QUESTION
      ? undefined
      : `write a question of 1 to ${LONGEST_QUESTION} characters`,
  limit: wholeNumber(1, MOST_FOUND),
}

/** What can be called: the names, one tool whole, and the tools that a question means. */
export function toolRoutes(app: FastifyInstance, ports: OwnerPorts): void {
  const { directory } = ports
  addGet(app, '/api/tools', async (request, reply) => {
    const { light, want } = readParameters(request.query, LIST)
    if (light === undefined) return listed(directory.tools(), want ?? '{}', { ports, reply })
    if (want === undefined) return directory.tools().map(({ name }) => name)
    throw refusal('malformed_request', 'want', {
      got: 'a want beside light',
      repair: 'leave one of them out',
    })
  })
  addGet(app, '/api/contracts/:tool', async (request) => {
    const tool = directory.tool(nameIn(request))
    if (tool !== undefined) return contractOf(tool)
    throw refusal('not_found', 'tool', {
      got: 'a name without a row',
      repair: 'find it with `/api/directory/query?q=…`',
    })
  })
  addGet(app, '/api/directory/query', async (request) => {
    const { q, limit } = readParameters(request.query, QUERY)
    if (q === undefined) {
      const repair = 'ask something: `?q=list issues`'
      throw refusal('malformed_request', 'q', { got: 'nothing', repair })
    }
    const found = directory.resolver().find(q, limit === undefined ? {} : { limit: Number(limit) })
    const rows = found.map(({ row: { name, summary }, ...reason }) => ({
      name,
      summary,
      ...reason,
    }))
    return { query: q, rows }
  })
}

function nameIn({ params }: FastifyRequest): string {
  return (params as { readonly tool: string }).tool
}

interface Listing {
  readonly ports: Pick<OwnerPorts, 'cursors' | 'cursorHeader'>
  readonly reply: FastifyReply
}

/** The rows as what is wanted of them, in the envelope's grammar; a page where none is named. */
function listed(tools: readonly Tool[], text: string, { ports, reply }: Listing): unknown {
  const parsed = parseWant(text)
  if (!parsed.ok) throw refusalOfProblems(parsed.problems)
  const want = { ...parsed.want, page: { limit: DEFAULT_PAGE, ...parsed.want.page } }
  const compiled = compileProjection(want, { cursors: ports.cursors })
  if (!compiled.ok) throw refusalOfProblems(compiled.problems)
  const { result, page } = projectReference(tools, compiled.projection)
  if (typeof page?.next === 'string') void reply.header(ports.cursorHeader(), page.next)
  return result
}

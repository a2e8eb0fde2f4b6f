import {
  argsOfTexts,
  envelopeOfForm,
  genericTool,
  parseJsonBody,
  type Envelope,
  type ParsedEnvelope,
  type Tool,
} from '../../catalog/index.ts'
import type { Knock } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal } from '../refusal.ts'
import { readAtMost } from '../wire/read-at-most.ts'
import { linkOf, pathOf, RUN_PATH } from './address.ts'

/** What the doors that run tools look up. */
export interface RunPorts {
  readonly tool: (name: string) => Tool | undefined
  readonly limits: Pick<Limits, 'judgedBodyBytes'>
}

/**
 * The call that a knock of these doors asks for.
 * @throws Refusal for what is no call, or of no tool
 */
export async function readCall(
  knock: Knock,
  ports: RunPorts,
): Promise<{ readonly envelope: Envelope; readonly tool: Tool }> {
  const link = linkOf(knock.path)
  if (link !== undefined) {
    const tool = toolOf(link.tool, ports)
    const args = argsOfTexts(tool, link.query)
    if (!args.ok) throw refusalOfProblems(args.problems)
    return { tool, envelope: { target: tool.name, op: 'call', args: args.args } }
  }
  if (pathOf(knock.path) !== RUN_PATH) throw nothingHere(knock.path)
  if (knock.method !== 'POST') throw methodNotTaken(knock.method, 'POST')
  const envelope = unwrap(envelopeOfForm(await readJson(knock, ports)))
  if (envelope.op !== 'call') throw collectionNotServed(envelope)
  return { envelope, tool: toolOf(envelope.target, ports) }
}

const GENERIC = /^HTTP_([A-Z]+)$/

/** The row of this name, or the generic one that is called by its name too. */
export function toolOf(name: string, { tool }: Pick<RunPorts, 'tool'>): Tool {
  const method = GENERIC.exec(name)?.[1]
  const found = method === undefined ? tool(name) : genericTool(method)
  if (found !== undefined) return found
  throw refusal('not_found', 'tool', {
    got: `\`${name.slice(0, 128)}\``,
    repair: 'use the name of a row of the catalog: `narrowgate find` tells them',
  })
}

/**
 * The JSON body of a knock.
 * @throws Refusal where there is none
 */
export async function readJson(
  knock: Knock,
  { limits }: Pick<RunPorts, 'limits'>,
): Promise<unknown> {
  if (knock.body === null) throw noJson('no body')
  knock.proceed()
  const { judgedBodyBytes } = limits
  const bytes = await readAtMost(knock.body, judgedBodyBytes)
  if (bytes === undefined)
    throw refusal('too_large', 'body', {
      got: `more than ${judgedBodyBytes} bytes`,
      repair: 'send less, or raise limits.judged_body_bytes',
    })
  const read = parseJsonBody(bytes)
  if (!read.ok) throw noJson(read.reason)
  return read.value
}

function noJson(got: string) {
  const repair = 'send a call as JSON: `{"tool": …, "args": {…}}`'
  return refusal('malformed_request', 'body', { got, repair })
}

function unwrap(read: ParsedEnvelope): Envelope {
  if (!read.ok) throw refusalOfProblems(read.problems)
  return read.envelope
}

export function collectionNotServed({ target }: Envelope) {
  const repair = 'call a row; collections have their own addresses'
  return refusal('not_supported', 'target', { got: target, repair })
}

function nothingHere(path: string) {
  const got = pathOf(path).slice(0, 128)
  return refusal('not_found', 'path', { got, repair: `post to ${RUN_PATH}` })
}

export function methodNotTaken(method: string, methods: string) {
  const got = `\`${method.slice(0, 32)}\``
  return refusal('method_not_allowed', 'method', { got, repair: `use ${methods}` })
}

import {
  argsOfTexts,
  callOfText,
  envelopeOfForm,
  genericTool,
  type Envelope,
  type ParsedEnvelope,
  type QueryArgs,
  type Tool,
} from '../../catalog/index.ts'
import type { Knock } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal } from '../refusal.ts'
import { doorPath } from './address.ts'
import { readBody } from './body.ts'

/** What the doors that run tools look up. */
export interface RunPorts {
  readonly tool: (name: string) => Tool | undefined
  readonly limits: Pick<Limits, 'judgedBodyBytes'>
}

/** A call, and the row that it names. */
export interface NamedCall {
  readonly envelope: Envelope
  readonly tool: Tool
}

/**
 * The call that a knock of these doors asks for.
 * @throws Refusal for what is no call, or of no tool
 */
export async function readCall(knock: Knock, ports: RunPorts): Promise<NamedCall> {
  const { rest, query } = doorPath(knock.path)
  if (rest !== undefined) return ofTexts(rest, query, ports)
  if (knock.method !== 'POST') throw methodNotTaken(knock.method, 'POST')
  const body = await readBody(knock, ports.limits)
  if ('text' in body) return ofText(body.text, ports)
  const envelope = unwrap(envelopeOfForm(body.value))
  if (envelope.op !== 'call') throw collectionNotServed(envelope)
  return { envelope, tool: toolOf(envelope.target, ports) }
}

/** A call whose arguments are all texts. */
function ofTexts(name: string, texts: QueryArgs, ports: RunPorts): NamedCall {
  const tool = toolOf(name, ports)
  const read = argsOfTexts(tool, texts)
  if (!read.ok) throw refusalOfProblems(read.problems)
  return { tool, envelope: { target: tool.name, op: 'call', args: read.args } }
}

function ofText(text: string, ports: RunPorts): NamedCall {
  const read = callOfText(text)
  if ('fault' in read) {
    const repair = 'write `NAME key="value"`, or one `<call tool="NAME" key="value"/>`'
    throw refusal('malformed_request', 'body', { got: read.fault, repair })
  }
  return ofTexts(read.tool, read.texts, ports)
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

function unwrap(read: ParsedEnvelope): Envelope {
  if (!read.ok) throw refusalOfProblems(read.problems)
  return read.envelope
}

export function collectionNotServed({ target }: Envelope) {
  const repair = 'call a row; collections have their own addresses'
  return refusal('not_supported', 'target', { got: target, repair })
}

export function methodNotTaken(method: string, methods: string) {
  const got = `\`${method.slice(0, 32)}\``
  return refusal('method_not_allowed', 'method', { got, repair: `use ${methods}` })
}
